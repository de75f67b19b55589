package io.cairn.engine.nodes;

import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Level;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.flush.format.ContainerWriter;
import io.cairn.flush.format.Layout;
import io.cairn.flush.format.RankChunks;
import io.cairn.flush.format.RankReader;
import io.cairn.flush.pipeline.Stage;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/**
 * Writes other nodes' checkpoints to STORE, as their owners order. It reads from the owner's node
 * at its own pace, a chunk at a time, and compares each with its checksum before it writes it. An
 * order beyond the bound is refused. Every attempt writes a container of its own name, so two of
 * them never meet. Thread-safe.
 *
 * <p>Source of the idea: Sato et al. (2012), whose staging nodes pull.
 */
final class StagingServer implements AutoCloseable {
  /** After so long an owner learns that its data is still being written. */
  private static final Duration HOLD = Duration.ofSeconds(2);

  private final String job;
  private final CheckpointStore store;
  private final Asking asking;
  private final Stage stage;
  private final LongConsumer stagedBytes;
  private final ThreadLocal<Worker> workers;

  /** Writes under way, and ended ones whose owner does not know the end. */
  private final Map<Order, CompletableFuture<PeerReply>> writes = new ConcurrentHashMap<>();

  /** One rank's data. */
  private record Order(String birth, CheckpointManifest part) {
    boolean sameRank(Order other) {
      return birth.equals(other.birth)
          && part.id().group().equals(other.part.id().group())
          && part.ranks().equals(other.part.ranks());
    }
  }

  /** The means of one thread. */
  private record Worker(ContainerWriter writer, Pace pace) {}

  /**
   * Writes nothing yet.
   *
   * @param store STORE; stays the caller's to close, after this
   * @param stage writes; bounds the bytes that are promised; ends with this
   * @param writer makes the writer of a thread
   * @param pace makes the pace of a thread
   * @param stagedBytes receives the bytes of each container
   */
  StagingServer(
      String job,
      CheckpointStore store,
      Asking asking,
      Stage stage,
      Supplier<ContainerWriter> writer,
      Supplier<Pace> pace,
      LongConsumer stagedBytes) {
    this.job = job;
    this.store = store;
    this.asking = asking;
    this.stage = stage;
    this.stagedBytes = stagedBytes;
    this.workers = ThreadLocal.withInitial(() -> new Worker(writer.get(), pace.get()));
  }

  /** The answer to an order, which may come later. */
  CompletionStage<PeerReply> answer(PeerRequest.StageRank request) {
    try {
      CheckpointManifest part =
          RankPart.decode(request.manifest(), "the order of " + request.owner());
      NodeServer.requireOwn(job, part.id().group(), request.birth());
      NodeFiles from =
          new NodeFiles(
              asking,
              request.owner(),
              Level.NODE,
              part.id(),
              request.birth(),
              part.containers(),
              bytes -> {});
      return answer(new Order(request.birth(), part), from);
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private CompletionStage<PeerReply> answer(Order order, NodeFiles from) {
    writes
        .entrySet()
        .removeIf(
            each ->
                each.getKey().sameRank(order)
                    && !each.getKey().equals(order)
                    && each.getValue().isDone());
    CompletableFuture<PeerReply> write =
        writes.computeIfAbsent(order, o -> begin(order.part(), from));
    CompletableFuture<PeerReply> answer = new CompletableFuture<>();
    var unused =
        write.whenComplete(
            (written, failure) -> {
              if (!answer.isDone()) { // else the owner asks again
                writes.remove(order, write);
              }
              if (failure == null) {
                answer.complete(written);
              } else {
                answer.completeExceptionally(failure);
              }
            });
    return asking.waits().completeAfter(answer, new PeerReply.StillWriting(), HOLD.toNanos());
  }

  private CompletableFuture<PeerReply> begin(CheckpointManifest part, NodeFiles from) {
    CompletableFuture<PeerReply> answer = new CompletableFuture<>();
    Runnable task =
        () -> {
          try {
            answer.complete(new PeerReply.Written(write(part, from)));
          } catch (IOException | RuntimeException e) { // every failure is the owner's
            answer.completeExceptionally(e);
          }
        };
    if (!stage.offer(part.bytes(), task)) {
      answer.completeExceptionally(
          new IOException(
              "%d bytes wait at this staging server: write them yourself, or ask another one"
                  .formatted(stage.queuedBytes())));
    }
    return answer;
  }

  private ContainerSummary write(CheckpointManifest part, NodeFiles from) throws IOException {
    Worker worker = workers.get();
    int rank = part.ranks().iterator().next();
    String name = Layout.container(rank, "s" + UUID.randomUUID());
    try (RankReader chunks = RankReader.open(from, part.id(), rank, part.containers())) {
      RankChunks all =
          new RankChunks(rank, chunks.images(), new PacedChunks(chunks, worker.pace()));
      ContainerSummary written =
          worker.writer().write(store, part.id(), part.size(), List.of(all), name);
      stagedBytes.accept(written.bytes());
      return written;
    }
  }

  /** Waits after each chunk until its bytes are paid for. */
  private record PacedChunks(ChunkReader chunks, Pace pace) implements ChunkReader {
    @Override
    public void read(int region, int chunk, ByteBuffer into) throws IOException {
      int before = into.position();
      chunks.read(region, chunk, into);
      pace.passed(into.position() - before);
    }
  }

  /** Ends its threads; orders that wait stay unanswered. */
  @Override
  public void close() {
    stage.close(Duration.ZERO);
  }
}
