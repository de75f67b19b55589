package io.cairn.engine.nodes;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.StagingBuffer;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.engine.promotion.NodeWriter;
import io.cairn.engine.promotion.SupersededException;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.Retention;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.pipeline.Stage;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreEntry;
import io.cairn.flush.store.SubdirectoryStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Keeps copies of other nodes' checkpoints at this node, as their owners order. Fetches and deletes
 * on one thread. An order beyond a bound in bytes is taken when it comes again: its owner may have
 * no other node to ask. No path comes from an order: job, birth and the names of containers are
 * checked. Thread-safe.
 */
final class CopyKeeper implements AutoCloseable {
  /**
   * Checkpoints of one rank, so that an owner which never retains fills no disk. Far more than any
   * owner needs that does.
   */
  static final int MOST_PER_RANK = 2 * NodeWriter.MOST_KEPT;

  private final String job;
  private final CheckpointStore node;
  private final Asking asking;
  private final Pace pace;
  private final LongConsumer keptBytes;
  private final JoinedRanks joined;
  private final Stage stage;
  private final LongOrders orders;
  private final StagingBuffer staging = new StagingBuffer();

  /** A rank's data; its manifest's name shows whether it is of a set. */
  private record Line(String birth, GroupId group, String manifest) {}

  /**
   * Keeps nothing yet.
   *
   * @param node the root of NODE; stays the caller's to close, after this
   * @param nanoTime the clock, as {@link System#nanoTime}
   * @param pace of all fetches
   * @param stage fetches and deletes; bounds the bytes of copies that are waited for; ends with
   *     this
   * @param keptBytes receives the bytes of each copy
   * @param joined the ranks of this process
   */
  CopyKeeper(
      String job,
      CheckpointStore node,
      Asking asking,
      LongSupplier nanoTime,
      Pace pace,
      Stage stage,
      LongConsumer keptBytes,
      JoinedRanks joined) {
    this.job = job;
    this.node = node;
    this.asking = asking;
    this.pace = pace;
    this.keptBytes = keptBytes;
    this.joined = joined;
    this.stage = stage;
    this.orders =
        new LongOrders(
            asking.waits(), nanoTime, stage, LongOrders.Remembered.FAILURES, Optional.empty());
  }

  /** The answer to an order, which may come later; empty if the request is none. */
  Optional<CompletionStage<PeerReply>> answer(PeerRequest.ToNode request) {
    if (request instanceof PeerRequest.KeepCopy keep) {
      return Optional.of(keep(keep));
    } else if (request instanceof PeerRequest.KeepParity keep) {
      return Optional.of(keep(keep));
    } else if (request instanceof PeerRequest.RanksOf asked) {
      return Optional.of(CompletableFuture.completedFuture(ranks(asked)));
    } else if (request instanceof PeerRequest.RetainCopies retain) {
      CheckpointStore copies = copies(retain.newest().group(), retain.birth());
      return Optional.of(orders.begin(0, () -> retain(copies, retain)));
    } else if (request instanceof PeerRequest.DropCopies drop) {
      CheckpointStore copies = copies(drop.id().group(), drop.birth());
      return Optional.of(orders.begin(0, () -> drop(copies, drop.id())));
    } else if (request instanceof PeerRequest.ReleaseCopies release) {
      CheckpointStore copies = copies(release.group(), release.birth());
      return Optional.of(orders.begin(0, () -> release(copies, release)));
    }
    return Optional.empty();
  }

  private PeerReply ranks(PeerRequest.RanksOf asked) {
    return new PeerReply.Ranks(joined.of(asked.group(), asked.epoch()));
  }

  private CheckpointStore copies(GroupId group, String birth) {
    NodeServer.requireOwn(job, group, birth);
    return new SubdirectoryStore(node, StoreNames.copies(group, birth));
  }

  private CompletionStage<PeerReply> keep(PeerRequest.KeepCopy keep) {
    try {
      CheckpointManifest part =
          RankPart.decodeWhole(keep.manifest(), "the order of " + keep.owner());
      CheckpointStore copies = copies(part.id().group(), keep.birth());
      int rank = part.ranks().iterator().next();
      NodeFiles from = NodeFiles.ofOwner(asking, keep.owner(), part, keep.birth());
      return fetch(
          new Line(keep.birth(), part.id().group(), StoreNames.manifestPart(rank)),
          part.id(),
          part.bytes(),
          copies,
          () -> keep(from, copies, part));
    } catch (IOException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private PeerReply keep(NodeFiles from, CheckpointStore copies, CheckpointManifest part)
      throws IOException {
    if (new CopyFetch(from, copies, part, pace, staging).run()) {
      keptBytes.accept(part.bytes());
    }
    return new PeerReply.Kept();
  }

  private CompletionStage<PeerReply> keep(PeerRequest.KeepParity keep) {
    CheckpointStore copies = copies(keep.id().group(), keep.birth());
    ParityFetch parity =
        new ParityFetch(ParityFetch.requireSet(keep), asking, copies, pace, staging, keptBytes);
    return fetch(
        new Line(keep.birth(), keep.id().group(), StoreNames.manifestOfSet(parity.lowest())),
        keep.id(),
        parity.bytes(),
        copies,
        parity::run);
  }

  private CompletionStage<PeerReply> fetch(
      Line line, CheckpointId id, long bytes, CheckpointStore copies, LongOrders.Work work) {
    return orders.answer(
        line,
        id,
        bytes,
        () -> {
          requireRoom(copies, id, line.manifest());
          requireWaitedFor(id);
          return work.run();
        });
  }

  /** Copies of a lost machine, of an epoch that is over, would cost the next one a wait each. */
  private void requireWaitedFor(CheckpointId id) throws SupersededException {
    if (joined.isOver(id.group(), id.epoch())) {
      throw new SupersededException(id + " is of an epoch that is over");
    }
  }

  private static void requireRoom(CheckpointStore copies, CheckpointId ordered, String manifest)
      throws IOException {
    List<CheckpointId> others = new ArrayList<>(kept(copies, ordered.group()));
    others.remove(ordered);
    if (others.size() < MOST_PER_RANK) {
      return; // so seldom more that the files of each are seldom listed
    }
    int kept = 0;
    for (CheckpointId id : others) {
      boolean ofRank =
          copies.list(StoreNames.checkpoint(id)).stream()
              .anyMatch(file -> file.name().equals(manifest));
      kept += ofRank ? 1 : 0;
    }
    if (kept >= MOST_PER_RANK) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "this node keeps %d checkpoints of %s with a %s already",
              kept,
              ordered.group(),
              manifest));
    }
  }

  private static PeerReply retain(CheckpointStore copies, PeerRequest.RetainCopies retain)
      throws IOException {
    Set<CheckpointId> sealed = Set.copyOf(retain.sealed());
    Retention.Report report =
        new Retention(copies)
            .apply(
                retain.newest().group(),
                retain.newest().epoch(),
                retain.keep(),
                stored -> sealed.contains(stored.id()),
                Set.of());
    dropReplacedElsewhere(copies, retain);
    report.requireDone();
    return new PeerReply.Done();
  }

  /** The owner's partner may be another node by now, which has the copies that replace these. */
  private static void dropReplacedElsewhere(CheckpointStore copies, PeerRequest.RetainCopies retain)
      throws IOException {
    CheckpointId newest = retain.newest();
    Optional<CheckpointId> oldestKept =
        retain.sealed().stream()
            .filter(id -> id.group().equals(newest.group()) && id.epoch() == newest.epoch())
            .distinct()
            .sorted(Comparator.reverseOrder())
            .skip(retain.keep() - 1L)
            .findFirst();
    if (oldestKept.isEmpty()) {
      return;
    }
    for (CheckpointId id : kept(copies, newest.group())) {
      if (id.epoch() == newest.epoch() && id.compareTo(oldestKept.get()) < 0) {
        drop(copies, id);
      }
    }
  }

  private static List<CheckpointId> kept(CheckpointStore copies, GroupId group) throws IOException {
    return copies.list(StoreNames.group(group)).stream()
        .flatMap(entry -> CheckpointId.parse(group, entry.name()).stream())
        .toList();
  }

  private static PeerReply drop(CheckpointStore copies, CheckpointId id) throws IOException {
    for (StoreEntry entry : copies.list(StoreNames.checkpoint(id))) {
      if (StoreNames.isManifest(entry.name())) {
        copies.delete(StoreNames.file(id, entry.name()));
      }
    }
    copies.deleteDirectory(StoreNames.checkpoint(id));
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

  /** Ends its thread; orders that wait stay unanswered. */
  @Override
  public void close() {
    stage.close(Duration.ZERO);
  }
}
