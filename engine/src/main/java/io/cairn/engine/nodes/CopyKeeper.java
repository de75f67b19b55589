package io.cairn.engine.nodes;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.GroupId;
import io.cairn.core.model.Level;
import io.cairn.core.model.StagingBuffer;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.Retention;
import io.cairn.flush.format.Layout;
import io.cairn.flush.format.ManifestCodec;
import io.cairn.flush.pipeline.Stage;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreEntry;
import io.cairn.flush.store.SubdirectoryStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;

/**
 * Keeps copies of other nodes' checkpoints at this node, as their owners order. Fetches and deletes
 * on one thread, and refuses what exceeds a bound in bytes. No path comes from an order: job, birth
 * and the names of containers are checked. Thread-safe.
 */
final class CopyKeeper implements AutoCloseable {
  /**
   * Checkpoints of one rank, so that an owner which never retains fills no disk. Far more than any
   * owner needs that does.
   */
  static final int MOST_PER_RANK = 64;

  /** Of one container; the sum over those in an order fits a long. */
  private static final long MOST_BYTES = 1L << 48;

  /** After so long an owner learns that its copy is still being written. */
  private static final Duration HOLD = Duration.ofSeconds(2);

  private final String job;
  private final CheckpointStore node;
  private final Asking asking;
  private final Pace pace;
  private final LongConsumer keptBytes;
  private final Stage stage;
  private final StagingBuffer staging = new StagingBuffer();

  /** Fetches under way, and those that ended with a failure which their owner does not know. */
  private final Map<Order, CompletableFuture<PeerReply>> fetches = new ConcurrentHashMap<>();

  private record Order(String birth, CheckpointId id, int rank) {
    boolean sameRank(Order other) {
      return birth.equals(other.birth) && id.group().equals(other.id.group()) && rank == other.rank;
    }
  }

  private interface Work {
    PeerReply run() throws IOException;
  }

  /**
   * Keeps nothing yet.
   *
   * @param node the root of NODE; stays the caller's to close, after this
   * @param pace of all fetches
   * @param stage fetches and deletes; bounds the bytes of copies that are waited for; ends with
   *     this
   * @param keptBytes receives the bytes of each copy
   */
  CopyKeeper(
      String job,
      CheckpointStore node,
      Asking asking,
      Pace pace,
      Stage stage,
      LongConsumer keptBytes) {
    this.job = job;
    this.node = node;
    this.asking = asking;
    this.pace = pace;
    this.keptBytes = keptBytes;
    this.stage = stage;
  }

  /** The answer to an order, which may come later; empty if the request is none. */
  Optional<CompletionStage<PeerReply>> answer(PeerRequest request) {
    if (request instanceof PeerRequest.KeepCopy keep) {
      return Optional.of(keep(keep));
    } else if (request instanceof PeerRequest.RetainCopies retain) {
      CheckpointStore copies = copies(retain.newest().group(), retain.birth());
      return Optional.of(soon(0, () -> retain(copies, retain)));
    } else if (request instanceof PeerRequest.DropCopies drop) {
      CheckpointStore copies = copies(drop.id().group(), drop.birth());
      return Optional.of(soon(0, () -> drop(copies, drop.id())));
    } else if (request instanceof PeerRequest.ReleaseCopies release) {
      CheckpointStore copies = copies(release.group(), release.birth());
      return Optional.of(soon(0, () -> release(copies, release)));
    }
    return Optional.empty();
  }

  private CheckpointStore copies(GroupId group, String birth) {
    NodeServer.requireOwn(job, group, birth);
    return new SubdirectoryStore(node, Layout.copies(group, birth));
  }

  private CompletionStage<PeerReply> keep(PeerRequest.KeepCopy keep) {
    try {
      CheckpointManifest part = part(keep);
      CheckpointStore copies = copies(part.id().group(), keep.birth());
      Order order = new Order(keep.birth(), part.id(), part.ranks().iterator().next());
      return answer(order, fetch(order, keep, part, copies));
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** The part of the manifest in an order. */
  private static CheckpointManifest part(PeerRequest.KeepCopy keep) throws IOException {
    ByteBuffer text = keep.manifest();
    byte[] bytes = new byte[text.remaining()];
    text.get(bytes);
    CheckpointManifest part = ManifestCodec.decode(bytes, "the order of " + keep.owner());
    if (part.ranks().size() != 1) {
      throw new IOException("the order is of ranks " + part.ranks() + ", not of one");
    }
    for (ContainerSummary container : part.containers()) {
      if (!Layout.isContainer(container.file()) || container.bytes() > MOST_BYTES) {
        throw new IOException(
            "'%s' of %d bytes is not a container".formatted(container.file(), container.bytes()));
      }
    }
    return part;
  }

  /** The fetch of an order: the one under way, the one that failed, or a new one. */
  private CompletableFuture<PeerReply> fetch(
      Order order, PeerRequest.KeepCopy keep, CheckpointManifest part, CheckpointStore copies) {
    fetches
        .entrySet()
        .removeIf(
            each ->
                each.getKey().sameRank(order)
                    && !each.getKey().equals(order)
                    && each.getValue().isDone());
    NodeFiles from =
        new NodeFiles(
            asking,
            keep.owner(),
            Level.NODE,
            part.id(),
            keep.birth(),
            part.containers(),
            bytes -> {});
    return fetches.computeIfAbsent(
        order,
        o ->
            soon(
                part.bytes(),
                () -> {
                  requireRoom(copies, order);
                  if (new CopyFetch(from, copies, part, pace, staging).run()) {
                    keptBytes.accept(part.bytes());
                  }
                  return new PeerReply.Kept();
                }));
  }

  /** Answers within a time that any owner waits. */
  private CompletionStage<PeerReply> answer(Order order, CompletableFuture<PeerReply> fetch) {
    CompletableFuture<PeerReply> answer = new CompletableFuture<>();
    var unused =
        fetch.whenComplete(
            (kept, failure) -> {
              // A success is shown by the copy itself, which a later order may drop. Removed before
              // the answer, after which the owner may ask again at once.
              if (failure == null || !answer.isDone()) {
                fetches.remove(order, fetch);
              }
              if (failure == null) {
                answer.complete(kept);
              } else {
                answer.completeExceptionally(failure);
              }
            });
    return asking.waits().completeAfter(answer, new PeerReply.StillWriting(), HOLD.toNanos());
  }

  private static void requireRoom(CheckpointStore copies, Order order) throws IOException {
    int kept = 0;
    String part = Layout.manifestPart(order.rank());
    for (StoreEntry each : copies.list(Layout.group(order.id().group()))) {
      Optional<CheckpointId> id = CheckpointId.parse(order.id().group(), each.name());
      if (id.isPresent() && !id.get().equals(order.id())) {
        kept +=
            copies.list(Layout.checkpoint(id.get())).stream()
                    .anyMatch(file -> file.name().equals(part))
                ? 1
                : 0;
      }
    }
    if (kept >= MOST_PER_RANK) {
      throw new IOException(
          "this node keeps %d checkpoints of %s, rank %d, already"
              .formatted(kept, order.id().group(), order.rank()));
    }
  }

  private static PeerReply retain(CheckpointStore copies, PeerRequest.RetainCopies retain)
      throws IOException {
    Set<CheckpointId> sealed = Set.copyOf(retain.sealed());
    new Retention(copies)
        .apply(
            retain.newest().group(),
            retain.newest().epoch(),
            retain.keep(),
            stored -> sealed.contains(stored.id()),
            Set.of());
    return new PeerReply.Done();
  }

  private static PeerReply drop(CheckpointStore copies, CheckpointId id) throws IOException {
    for (StoreEntry entry : copies.list(Layout.checkpoint(id))) {
      if (Layout.isManifest(entry.name())) {
        copies.delete(Layout.file(id, entry.name()));
      }
    }
    copies.deleteDirectory(Layout.checkpoint(id));
    return new PeerReply.Done();
  }

  private static PeerReply release(CheckpointStore copies, PeerRequest.ReleaseCopies release)
      throws IOException {
    for (CheckpointId id : Inventory.list(copies, release.group()).everything()) {
      if (id.epoch() <= release.epoch()) {
        drop(copies, id);
      }
    }
    return new PeerReply.Done();
  }

  private CompletableFuture<PeerReply> soon(long bytes, Work work) {
    CompletableFuture<PeerReply> answer = new CompletableFuture<>();
    Runnable task =
        () -> {
          try {
            answer.complete(work.run());
          } catch (IOException | RuntimeException e) { // every failure is the asking peer's
            answer.completeExceptionally(e);
          }
        };
    if (!stage.offer(bytes, task)) {
      answer.completeExceptionally(
          new IOException(
              "%d bytes of copies wait at this node: ask again later"
                  .formatted(stage.queuedBytes())));
    }
    return answer;
  }

  /** Ends its thread; orders that wait stay unanswered. */
  @Override
  public void close() {
    stage.close(Duration.ZERO);
  }
}
