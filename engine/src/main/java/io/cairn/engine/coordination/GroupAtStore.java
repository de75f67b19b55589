package io.cairn.engine.coordination;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.core.cadence.Learned;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.protocol.CommitOutcome;
import io.cairn.core.protocol.CoordinatorEvent;
import io.cairn.core.protocol.CoordinatorEvent.CommitEnded;
import io.cairn.core.protocol.NodeSeal;
import io.cairn.engine.coordination.EpochWatch.Look;
import io.cairn.engine.events.Repeats;
import io.cairn.flush.commit.GroupMemory;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.ManifestCommit;
import io.cairn.flush.commit.Retention;
import io.cairn.flush.format.ManifestCodec;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out the actions of a group's coordinator at STORE: commits, marks, retains. Every method
 * does I/O and runs on the store's thread; the results go to the coordinator as events.
 */
final class GroupAtStore {
  /*
   * Sealed or abandoned
   *
   * A later epoch may be taken while a manifest is published. Then the later run may not have seen
   * it, so it must not be reported as sealed. Therefore a look at the epochs follows each commit. A
   * look that fails shows nothing: it is repeated a few times, and then the outcome is Unknown.
   *
   * The looks before and after may find STORE, and the commit between them another directory, since
   * its file system was unmounted for a moment or the process slept. So the manifest is read back.
   */
  private static final Logger LOG = LoggerFactory.getLogger(GroupAtStore.class);
  private static final long FIRST_PAUSE_MILLIS = 250;
  private static final long LAST_PAUSE_MILLIS = 2000;

  private final GroupId group;
  private final HostContext context;
  private final Executor storing;
  private final CheckpointStore store;
  private final EpochWatch epochs;
  private final ManifestCommit commit;
  private final GroupMemory memory;
  private final Retention retention;
  private final MissingScores scores;
  private final Consumer<CoordinatorEvent> coordinator;
  private final Repeats repeats;
  private final InstantSource clock;

  /** A manifest, as the coordinator asked for it and as it is published. */
  private record Tried(CheckpointManifest asked, CheckpointManifest manifest) {}

  private Optional<Tried> last = Optional.empty();

  /**
   * A group at the context's store.
   *
   * @param storing runs the tasks of this group
   * @param coordinator receives the results
   */
  GroupAtStore(
      HostContext context,
      Executor storing,
      GroupId group,
      EpochWatch epochs,
      GroupMemory memory,
      Consumer<CoordinatorEvent> coordinator) {
    this.group = group;
    this.context = context;
    this.storing = storing;
    this.store = context.store();
    this.epochs = epochs;
    this.commit = new ManifestCommit(store);
    this.memory = memory;
    this.retention = new Retention(store);
    this.scores = new MissingScores(context.retention());
    this.coordinator = coordinator;
    this.repeats = new Repeats(context.nanoTime());
    this.clock = context.steadyClock();
  }

  /** An epoch is about to begin, of a group that may have been deleted and made again. */
  void begins() {
    retention.forget();
  }

  void markEnd(CheckpointId last) {
    if (epochs.look(last.epoch()) instanceof Look.Elsewhere elsewhere) {
      LOG.warn("The end of {} is not marked: {}", group, elsewhere.reason());
      return;
    }
    try {
      memory.markEnd(last);
      LOG.info("{} ended with iteration {}", group, last.iteration());
    } catch (IOException e) {
      LOG.warn("The end of {} could not be marked at STORE", group, e);
    }
  }

  void markAnySealed() {
    try {
      memory.markAnySealed(group);
    } catch (IOException | RuntimeException e) {
      LOG.warn("It could not be marked at STORE that {} has sealed a checkpoint", group, e);
    }
  }

  /** Notes where a checkpoint at NODE is, unless another directory is in the place of STORE. */
  void noteNodes(NodeSeal seal) {
    if (!(epochs.look(seal.id().epoch()) instanceof Look.Newest)) {
      return; // the next commit says why
    }
    try {
      memory.noteNodes(seal);
    } catch (IOException | RuntimeException e) {
      repeats
          .pass("nodes")
          .ifPresent(
              more ->
                  LOG.warn(
                      "It is not noted at STORE where {} is at NODE, as a hint{}",
                      seal.id(),
                      more,
                      e));
    }
  }

  /** Commits a manifest, unless its epoch is over or a container is missing. */
  void commit(CheckpointManifest unnamed, Optional<Learned> learned) {
    CheckpointManifest manifest = named(unnamed);
    toItsEnd(manifest, () -> commitNow(manifest, learned));
  }

  /** A later try keeps nonce and time, since the try before it may have published its manifest. */
  private CheckpointManifest named(CheckpointManifest asked) {
    Tried now =
        last.filter(tried -> tried.asked().equals(asked))
            .orElseGet(
                () ->
                    new Tried(asked, asked.attempt(UUID.randomUUID().toString(), clock.instant())));
    last = Optional.of(now);
    return now.manifest();
  }

  /** Runs a step of a commit. If it breaks off, the commit ends, and its ticket is settled. */
  private void toItsEnd(CheckpointManifest manifest, Runnable step) {
    try {
      step.run();
    } catch (RuntimeException | Error e) {
      LOG.error("The commit of {} was interrupted by an error", manifest.id(), e);
      ended(manifest, new CommitOutcome.Unknown(e.toString()));
    }
  }

  private void commitNow(CheckpointManifest manifest, Optional<Learned> learned) {
    Look look = epochs.look(manifest.id().epoch());
    if (isOver(manifest.id(), look)) {
      return;
    } else if (look instanceof Look.Elsewhere elsewhere) {
      settled(manifest, new CommitOutcome.Unknown("not published: " + elsewhere.reason()));
      return;
    } else if (look instanceof Look.Unclaimed unclaimed) {
      settled(manifest, new CommitOutcome.Failed("not published: " + unclaimed.reason()));
      return;
    }
    learned.ifPresent(known -> keep(manifest.id(), known));
    Optional<String> unfit = tooLong(manifest).or(() -> missing(manifest));
    CommitOutcome outcome =
        unfit.isPresent()
            ? new CommitOutcome.Failed(unfit.get())
            : commit.commit(manifest, StoreNames.MANIFEST);
    settle(manifest, outcome, FIRST_PAUSE_MILLIS);
  }

  /** Looks for a later epoch, and reports to the coordinator if there is one. */
  void look(long epoch) {
    boolean unused = isOver(new CheckpointId(group, epoch, 0), epochs.look(epoch));
  }

  /** Reports to the coordinator if its epoch is over. */
  private boolean isOver(CheckpointId id, Look look) {
    if (look instanceof Look.Over over) {
      if (epochs.isNewest(id.epoch())) {
        LOG.error("Checkpoints of {} do not count any more: {}", group, over.reason());
      } else {
        LOG.info("{} is not committed: {}", id, over.reason());
      }
      coordinator.accept(new CoordinatorEvent.Superseded(id.epoch(), over.reason()));
      return true;
    } else if (look instanceof Look.Unknown unknown) {
      repeats
          .pass("list")
          .ifPresent(
              more ->
                  LOG.warn(
                      "Epochs of {} could not be listed at a commit{}",
                      group,
                      more,
                      unknown.cause()));
    }
    return false;
  }

  private static Optional<String> tooLong(CheckpointManifest manifest) {
    try {
      byte[] unused = ManifestCodec.encode(manifest);
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /** The reason why a container is not as its rank reported it; empty if all are. */
  private Optional<String> missing(CheckpointManifest manifest) {
    try {
      Inventory.requireContainers(store, manifest);
      return Optional.empty();
    } catch (IOException e) {
      repeats
          .pass("containers")
          .ifPresent(more -> LOG.error("{} cannot be committed{}", manifest.id(), more, e));
      return Optional.of("its containers are not all at STORE: " + e.getMessage());
    }
  }

  private void settle(CheckpointManifest manifest, CommitOutcome outcome, long pauseMillis) {
    boolean committed = outcome instanceof CommitOutcome.Committed;
    Look look = epochs.look(manifest.id().epoch());
    if (isOver(manifest.id(), look)) {
      return;
    }
    Optional<String> doubt = committed ? doubt(manifest, look) : Optional.empty();
    if (doubt.isEmpty()) {
      settled(manifest, outcome);
    } else if (pauseMillis > LAST_PAUSE_MILLIS) {
      settled(manifest, new CommitOutcome.Unknown("published, but " + doubt.get()));
    } else {
      after(
          pauseMillis, () -> toItsEnd(manifest, () -> settle(manifest, outcome, 2 * pauseMillis)));
    }
  }

  /** Why a published manifest may not be the group's newest in STORE; empty if it is. */
  private Optional<String> doubt(CheckpointManifest manifest, Look look) {
    if (look instanceof Look.Unknown unknown) {
      return Optional.of("a later epoch may exist: " + unknown.cause().getMessage());
    } else if (look instanceof Look.Elsewhere elsewhere) {
      return Optional.of("a later epoch may exist: " + elsewhere.reason());
    } else if (!(look instanceof Look.Newest)) {
      return Optional.of("its epoch has no claim");
    }
    try {
      // another directory may have been in the place of STORE, between this look and the one before
      return commit.published(manifest.id()).equals(Optional.of(ManifestCodec.digest(manifest)))
          ? Optional.empty()
          : Optional.of("STORE does not show it: another directory was in its place meanwhile");
    } catch (IOException e) {
      return Optional.of("it cannot be read back: " + e);
    }
  }

  private void after(long millis, Runnable task) {
    context
        .alarm()
        .after(
            TimeUnit.MILLISECONDS.toNanos(millis),
            () -> {
              try {
                storing.execute(task);
              } catch (RejectedExecutionException e) {
                LOG.warn("{}: the process ended before the end of a commit was known", group);
              }
            });
  }

  private void settled(CheckpointManifest manifest, CommitOutcome outcome) {
    ended(manifest, outcome);
    if (outcome instanceof CommitOutcome.Committed) {
      afterCommit(manifest);
    } else {
      repeats
          .pass(outcome.getClass())
          .ifPresent(more -> LOG.warn("{} was not committed: {}{}", manifest.id(), outcome, more));
    }
  }

  /** A failure here changes nothing about the commit, which was reported. */
  private void afterCommit(CheckpointManifest manifest) {
    try {
      markSealed(manifest.id());
      scores.sealed(manifest).ifPresent(LOG::warn);
      retain(manifest.id());
    } catch (RuntimeException | Error e) {
      LOG.error("{} is committed, but what follows a commit failed", manifest.id(), e);
    }
  }

  private void ended(CheckpointManifest manifest, CommitOutcome outcome) {
    coordinator.accept(
        outcome instanceof CommitOutcome.Committed
            ? new CommitEnded(manifest.id(), ManifestCodec.digest(manifest), outcome)
            : CommitEnded.uncommitted(manifest.id(), outcome));
  }

  private void keep(CheckpointId id, Learned learned) {
    try {
      memory.keep(id, learned);
    } catch (IOException | RuntimeException e) {
      LOG.debug("The cadence of {} is not kept with {}", group, id, e);
    }
  }

  private void markSealed(CheckpointId sealed) {
    try {
      memory.markSealed(sealed);
    } catch (IOException | RuntimeException e) {
      repeats
          .pass("mark")
          .ifPresent(
              more -> LOG.warn("The seal of {} is not marked, as a hint{}", sealed, more, e));
    }
  }

  private void retain(CheckpointId sealed) {
    try {
      retention.apply(sealed.group(), sealed.epoch(), context.retention()).requireDone();
    } catch (IOException e) {
      repeats
          .pass("delete")
          .ifPresent(
              more -> LOG.warn("Old checkpoints of {} could not be deleted{}", group, more, e));
    }
  }
}
