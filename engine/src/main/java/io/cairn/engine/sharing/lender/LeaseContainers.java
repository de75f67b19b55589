package io.cairn.engine.sharing.lender;

import io.cairn.cache.chunk.LentSlots;
import io.cairn.core.model.ChunkNumbers;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.sharing.LeaseId;
import io.cairn.core.sharing.LeasedChunk;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.engine.coordination.Waits;
import io.cairn.engine.sharing.peer.HolderId;
import io.cairn.flush.commit.EpochFiles;
import io.cairn.flush.commit.StoreIdentity;
import io.cairn.flush.format.ContainerWriter;
import io.cairn.flush.format.RankChunks;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes held chunks to NODE when their borrower orders it. One thread writes one container after
 * the other, so neither this process's checkpoints nor its verification wait. A borrower whose
 * container is still being written receives that answer and repeats its order. Thread-safe.
 */
public final class LeaseContainers implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseContainers.class);
  private static final int MOST_WAITING = 64;

  /** Orders whose answers are kept, for borrowers that did not receive them. */
  private static final int MOST_KNOWN = 4 * MOST_WAITING;

  private static final long GRACE_SECONDS = 5;

  private final HolderId self;
  private final NodeStores nodes;
  private final Lender lender;
  private final LentSlots lending;
  private final ContainerWriter writer;
  private final long patienceNanos;
  private final LongConsumer flushedBytes;
  private final Waits waits;
  private final Map<LeaseId, Order> orders = new LinkedHashMap<>();
  private final ExecutorService writing;

  /** Containers that the thread has not begun. */
  private final AtomicInteger waiting = new AtomicInteger();

  /**
   * Writes to these stores.
   *
   * @param writer of the containers; used by this only
   * @param patience after which an order is answered that its container is still being written;
   *     shorter than the transport's time for an answer
   * @param flushedBytes receives the bytes of the chunks in each written container
   * @param waits after which orders are answered
   * @param writing writes them; ends with this
   */
  public LeaseContainers(
      HolderId self,
      NodeStores nodes,
      Lender lender,
      LentSlots lending,
      ContainerWriter writer,
      Duration patience,
      LongConsumer flushedBytes,
      Waits waits,
      ExecutorService writing) {
    this.self = self;
    this.nodes = nodes;
    this.lender = lender;
    this.lending = lending;
    this.writer = writer;
    this.patienceNanos = patience.toNanos();
    this.flushedBytes = flushedBytes;
    this.waits = waits;
    this.writing = writing;
  }

  /**
   * Handles an order, which may be repeated. An order that waits behind others for half of the
   * patience is refused, so that no borrower waits for a lender that is slow to write for another.
   * Fails if the order is for another store or an older epoch, or does not match the held chunks.
   * No manifest names a container whose order failed.
   */
  public CompletionStage<PeerReply.Flushing> answer(PeerRequest.Flush order) {
    return waits.completeAfter(
        order(order).answer().copy(), new PeerReply.StillWriting(), patienceNanos);
  }

  /**
   * An order.
   *
   * @param isTaken once the thread writes it, or it was refused
   */
  private record Order(CompletableFuture<PeerReply.Flushing> answer, AtomicBoolean isTaken) {
    /** Refuses an order that waits behind others: its borrower writes the chunks itself. */
    void refuseIfWaiting() {
      if (isTaken.compareAndSet(false, true)) {
        answer.completeExceptionally(
            new IllegalStateException("the lender writes the containers of other borrowers"));
      }
    }

    void begin() throws IOException {
      if (!isTaken.compareAndSet(false, true)) {
        throw new IOException("the order was refused, since it waited too long");
      }
    }
  }

  private Order order(PeerRequest.Flush order) {
    Order taken;
    synchronized (orders) {
      Order known = orders.get(order.lease());
      if (known != null) {
        return known;
      }
      taken = new Order(new CompletableFuture<>(), new AtomicBoolean());
      orders.put(order.lease(), taken);
      forgetOldest();
    }
    // before the answer that it is still being written
    waits.runAfter(taken::refuseIfWaiting, patienceNanos / 2);
    lender
        .reading(
            order.lease(),
            this::writeLater,
            held -> {
              taken.begin();
              return write(order, held);
            })
        .whenComplete((container, failure) -> settle(order, taken.answer(), container, failure));
    return taken;
  }

  private void writeLater(Runnable container) {
    if (waiting.incrementAndGet() > MOST_WAITING) {
      waiting.decrementAndGet();
      throw new RejectedExecutionException(MOST_WAITING + " containers wait");
    }
    writing.execute(
        () -> {
          waiting.decrementAndGet();
          container.run();
        });
  }

  private void forgetOldest() {
    Iterator<Order> oldest = orders.values().iterator();
    while (orders.size() > MOST_KNOWN && oldest.hasNext()) {
      if (oldest.next().answer().isDone()) {
        oldest.remove();
      }
    }
  }

  private static void settle(
      PeerRequest.Flush order,
      CompletableFuture<PeerReply.Flushing> answer,
      @Nullable ContainerSummary container,
      @Nullable Throwable failure) {
    if (container == null) {
      LOG.warn(
          "The chunks of {} are not written to NODE: {}", order.lease(), String.valueOf(failure));
      answer.completeExceptionally(
          failure == null ? new IllegalStateException("no container") : failure);
    } else {
      answer.complete(new PeerReply.Written(container));
    }
  }

  private ContainerSummary write(PeerRequest.Flush order, List<LeasedChunk> held)
      throws IOException {
    CheckpointStore node = nodes.of(order.lease().checkpoint().group());
    requireOurs(order, node, held);
    ChunkNumbers numbers = new ChunkNumbers(order.images());
    @Nullable LeasedChunk[] byNumber = byNumber(order, numbers, held);
    ChunkReader reader = new HeldReader(lending, numbers, byNumber);
    ContainerSummary container =
        writer.write(
            node,
            order.lease().checkpoint(),
            order.groupSize(),
            List.of(
                new RankChunks(
                    order.lease().rank(),
                    order.images(),
                    reader,
                    (region, chunk) -> byNumber[numbers.of(region, chunk)] != null)),
            self.container(order.lease()));
    flushedBytes.accept(held.stream().mapToLong(one -> one.chunk().bytes()).sum());
    return container;
  }

  private static void requireOurs(
      PeerRequest.Flush order, CheckpointStore node, List<LeasedChunk> held) throws IOException {
    LeaseId lease = order.lease();
    if (held.isEmpty()) {
      throw new IOException("no chunk is held under " + lease);
    }
    String here = StoreIdentity.read(node);
    if (!here.equals(order.node())) {
      throw new IOException(
          node.describe() + " is store " + here + ", not " + order.node() + " of " + lease);
    }
    long newest = new EpochFiles(node).newest(lease.checkpoint().group());
    if (newest > lease.checkpoint().epoch()) {
      throw new IOException(lease + ": epoch " + newest + " began on this node");
    }
  }

  private static @Nullable LeasedChunk[] byNumber(
      PeerRequest.Flush order, ChunkNumbers numbers, List<LeasedChunk> held) throws IOException {
    @Nullable LeasedChunk[] byNumber = new LeasedChunk[numbers.all()];
    for (LeasedChunk one : held) {
      int number = one.chunk().chunk();
      if (number >= byNumber.length) {
        throw new IOException(
            "chunk " + number + " is held under " + order.lease() + " of " + byNumber.length);
      }
      byNumber[number] = one;
    }
    return byNumber;
  }

  /** Reads the held chunks straight into the writer's buffers. */
  private static final class HeldReader implements ChunkReader {
    private final LentSlots lending;
    private final ChunkNumbers numbers;
    private final @Nullable LeasedChunk[] byNumber;

    HeldReader(LentSlots lending, ChunkNumbers numbers, @Nullable LeasedChunk[] byNumber) {
      this.lending = lending;
      this.numbers = numbers;
      this.byNumber = byNumber;
    }

    @Override
    public void read(int region, int chunk, ByteBuffer into) throws IOException {
      start(region, chunk, into).await();
    }

    @Override
    public Reading start(int region, int chunk, ByteBuffer into) throws IOException {
      LeasedChunk one = byNumber[numbers.of(region, chunk)];
      if (one == null) {
        throw new IOException("chunk " + chunk + " of region " + region + " is not held here");
      }
      return LeasedBytes.start(lending, one, into);
    }
  }

  /** Ends the thread; waits a bounded time for a container, since the memory is closed next. */
  @Override
  public void close() {
    writing.shutdownNow();
    try {
      if (!writing.awaitTermination(GRACE_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("A container for a borrower was not written to NODE in time");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
