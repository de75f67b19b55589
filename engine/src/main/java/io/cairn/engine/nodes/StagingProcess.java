package io.cairn.engine.nodes;

import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.wire.StagingReply;
import io.cairn.core.wire.StagingRequest;
import io.cairn.core.wire.Wire;
import io.cairn.engine.coordination.HttpAnswering;
import io.cairn.engine.coordination.HttpExchangeServer;
import io.cairn.engine.coordination.Waits;
import io.cairn.flush.codec.Encodings;
import io.cairn.flush.commit.StoreIdentity;
import io.cairn.flush.format.ContainerWriter;
import io.cairn.flush.pipeline.Stage;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A process that writes other processes' checkpoints to STORE, and does nothing else. Owners
 * announce their data. The server asks for it, at its own pace and never for more than its memory
 * holds, and writes it with several threads. Serves all jobs of one store. Thread-safe.
 *
 * <p>Source of the idea: Sato et al. (2012), whose staging nodes pull.
 */
public final class StagingProcess implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StagingProcess.class);

  /** Orders that are known at once, the ended ones included that their owner has not fetched. */
  static final int MOST_ORDERS = 4096;

  /** Bytes of the announced manifests of orders that wait, or are being written. */
  private static final long MOST_MANIFEST_BYTES = 64 << 20;

  private static final int MOST_NAME = 64;
  private static final long STEP_MILLIS = 20;

  private final StagingTerms terms;
  private final String identity;
  private final Waits waits;
  private final LongSupplier nanoTime;
  private final StagingSpace space;
  private final Stage stage;
  private final StagedContainers containers;
  private final HttpExchangeServer http;
  private final Map<String, StagedOrder> orders = new ConcurrentHashMap<>();
  private final AtomicLong written = new AtomicLong();
  private final AtomicLong writtenBytes = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private volatile boolean ending;

  /** The writing of one order, in its turn. */
  private final class Writing implements Runnable {
    private final StagedOrder order;

    Writing(StagedOrder order) {
      this.order = order;
    }

    @Override
    public void run() {
      write(order);
    }
  }

  /**
   * Begins to serve.
   *
   * @param store STORE; stays the caller's to close, after this
   * @throws IOException if the address cannot be bound, the store has no readable identity, or a
   *     library of the codec is absent
   */
  public StagingProcess(StagingTerms terms, CheckpointStore store) throws IOException {
    this(terms, store, Waits.REAL, System::nanoTime);
  }

  StagingProcess(StagingTerms terms, CheckpointStore store, Waits waits, LongSupplier nanoTime)
      throws IOException {
    Encodings.requireLibraries(terms.codec());
    this.terms = terms;
    this.waits = waits;
    this.nanoTime = nanoTime;
    this.identity = StoreIdentity.of(store);
    this.space = new StagingSpace(terms.memoryBytes());
    this.containers =
        new StagedContainers(
            store,
            () -> new ContainerWriter(terms.chunkBytes(), terms.codec()),
            new Pace(terms.bytesPerSecond(), nanoTime, waits),
            this::wrote);
    this.stage = Stage.start("staging", MOST_MANIFEST_BYTES, terms.threads());
    this.http = serve(terms);
  }

  private HttpExchangeServer serve(StagingTerms at) throws IOException {
    try {
      return new HttpExchangeServer(at.address(), new Answers());
    } catch (IOException | RuntimeException e) {
      stage.close(Duration.ZERO);
      throw new IOException("%s cannot be served: %s".formatted(at.address(), e.getMessage()), e);
    }
  }

  private void wrote(long bytes) {
    written.incrementAndGet();
    writtenBytes.addAndGet(bytes);
  }

  /** The port that it serves at. */
  public int port() {
    return http.port();
  }

  /** The identity of STORE. */
  public String identity() {
    return identity;
  }

  /** The work so far. */
  public StagingProgress progress() {
    return new StagingProgress(
        (int) orders.values().stream().filter(order -> !order.isEnded()).count(),
        written.get(),
        writtenBytes.get(),
        refused.get(),
        failed.get(),
        space.usedBytes(),
        space.peakBytes(),
        space.waits());
  }

  private final class Answers implements HttpAnswering {
    @Override
    public CompletionStage<byte[]> answer(byte[] bytes) {
      StagingRequest request = Wire.decodeStagingRequest(bytes);
      CompletionStage<StagingReply> reply =
          request instanceof StagingRequest.Announce announce
              ? announced(announce)
              : Optional.ofNullable(orders.get(request.attempt()))
                  .map(order -> on(order, request))
                  .orElseGet(
                      () -> refuse("this staging server does not know the order: announce it"));
      return reply.thenApply(Wire::encode);
    }

    @Override
    public boolean owesMessages() {
      return orders.values().stream().anyMatch(order -> !order.isOver());
    }
  }

  private CompletionStage<StagingReply> on(StagedOrder order, StagingRequest request) {
    if (request instanceof StagingRequest.Bring bring) {
      order.bring(bring.number(), bring.bytes());
    } else if (request instanceof StagingRequest.Withdraw) {
      order.withdraw("the owner withdrew the order");
    }
    CompletionStage<StagingReply> reply = order.next();
    if (order.isOver()) {
      orders.values().remove(order);
    }
    return reply;
  }

  private CompletionStage<StagingReply> announced(StagingRequest.Announce announce) {
    StagedOrder known = orders.get(announce.attempt());
    if (known != null) {
      return known.next();
    } else if (ending) {
      return refuse("this staging server ends: write it yourself, or ask another one");
    } else if (!announce.store().equals(identity)) {
      return refuse(
          "this staging server writes to the store %s, and %s has %s as STORE: start it with the same"
              .formatted(identity, announce.owner(), announce.store()));
    } else if (announce.attempt().length() > MOST_NAME) {
      return refuse("an attempt's name of " + announce.attempt().length() + " characters");
    }
    try {
      String source = "the order of " + announce.owner();
      CheckpointManifest part = RankPart.decode(announce.manifest(), source);
      return begun(
          announce, new StagedOrder(announce.owner(), part, announce.birth(), waits, nanoTime));
    } catch (IOException e) {
      return refuse(String.valueOf(e.getMessage()));
    }
  }

  private CompletionStage<StagingReply> begun(StagingRequest.Announce announce, StagedOrder order) {
    orders.values().removeIf(StagedOrder::isOver);
    if (orders.size() >= MOST_ORDERS) {
      return refuse(orders.size() + " orders wait here: write it yourself, or ask another one");
    }
    orders.put(announce.attempt(), order);
    if (!stage.offer(Math.max(1, announce.manifest().remaining()), new Writing(order))) {
      orders.remove(announce.attempt());
      return refuse(
          String.format(
              Locale.ROOT,
              "%d bytes of orders wait here: write it yourself, or ask another one",
              stage.queuedBytes()));
    }
    return order.next();
  }

  private CompletionStage<StagingReply> refuse(String reason) {
    refused.incrementAndGet();
    return CompletableFuture.completedFuture(new StagingReply.Refused(reason));
  }

  private void write(StagedOrder order) {
    try {
      order.requireOwner();
      OwnersFiles from = new OwnersFiles(order, space, terms.pieceBytes());
      order.end(new StagingReply.Staged(containers.write(order.part(), order.birth(), from)));
    } catch (IOException | RuntimeException | Error e) { // every failure is the owner's
      failed.incrementAndGet();
      LOG.warn("{} is not written to STORE", order, e);
      order.end(new StagingReply.Refused(String.valueOf(e.getMessage())));
    }
  }

  /**
   * Ends in order: refuses new orders, hands those back that wait, and finishes those that are
   * being written. Those that take longer are handed back, too; nothing of them stays at STORE.
   *
   * @param patience how long to wait
   * @return whether nothing was handed back
   */
  public boolean end(Duration patience) {
    ending = true;
    int back = 0;
    for (Optional<Runnable> next = waiting(); next.isPresent(); next = waiting()) {
      StagedOrder order = ((Writing) next.get()).order;
      order.end(new StagingReply.Refused("this staging server ends: write it yourself"));
      back++;
    }
    awaitIdle(patience);
    for (StagedOrder order : orders.values()) {
      if (!order.isEnded()) {
        order.withdraw("this staging server ends: write it yourself");
        back++;
      }
    }
    awaitIdle(Duration.ofSeconds(StagedOrder.SILENT_SECONDS));
    return back == 0;
  }

  private Optional<Runnable> waiting() {
    return stage.take(task -> true);
  }

  private void awaitIdle(Duration patience) {
    long end = nanoTime.getAsLong() + patience.toNanos();
    try {
      while (stage.queuedBytes() > 0 && nanoTime.getAsLong() - end < 0) {
        waits.sleep(STEP_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // ends at once
    }
  }

  /** Ends at once, after owners had a moment to fetch the ends of their orders. */
  @Override
  public void close() {
    http.close();
    stage.close(Duration.ZERO);
  }
}
