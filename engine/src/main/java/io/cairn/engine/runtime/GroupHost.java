package io.cairn.engine.runtime;

import io.cairn.core.cadence.FixedCadence;
import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.GroupId;
import io.cairn.core.protocol.CommitOutcome;
import io.cairn.core.protocol.CoordinatorAction;
import io.cairn.core.protocol.CoordinatorEvent;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.GroupCoordinator;
import io.cairn.flush.commit.EpochFiles;
import io.cairn.flush.commit.ManifestCommit;
import io.cairn.flush.commit.Retention;
import io.cairn.flush.format.Layout;
import io.cairn.flush.format.ManifestCodec;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out what a group's coordinator decides: takes epochs and commits manifests in the store,
 * and hands messages to ranks. Events are handled one after the other, in order of arrival, on one
 * executor, and what needs the store runs on another, so that a store that hangs delays nothing but
 * itself; no lock is held meanwhile. Thread-safe.
 */
public final class GroupHost {
  private static final Logger LOG = LoggerFactory.getLogger(GroupHost.class);
  private static final int MAX_COMMITS_WAITING = 64;

  /** Takes messages to ranks, wherever they are. */
  @FunctionalInterface
  public interface Outbox {
    /** Hands over, or drops if that incarnation is gone. Must not wait. */
    void tell(int rank, String incarnation, CoordinatorMessage message);
  }

  private final GroupId group;
  private final GroupCoordinator coordinator;
  private final EpochFiles epochs;
  private final ManifestCommit commit;
  private final Retention retention;
  private final int keep;
  private final String who;
  private final Executor executor;
  private final Executor storeExecutor;
  private final Outbox outbox;
  private final Queue<CoordinatorEvent> events = new ArrayDeque<>();
  private final AtomicInteger commitsWaiting = new AtomicInteger();
  private boolean running;

  /**
   * A host for one group.
   *
   * @param who says, in each epoch's file, which process took it
   * @param executor runs the handling, which never waits
   * @param storeExecutor takes epochs and commits, in order
   */
  public GroupHost(
      GroupId group,
      int size,
      FixedCadence cadence,
      int keep,
      CheckpointStore store,
      String who,
      Executor executor,
      Executor storeExecutor,
      Outbox outbox) {
    this.group = group;
    this.coordinator = new GroupCoordinator(group, size, cadence);
    this.epochs = new EpochFiles(store);
    this.commit = new ManifestCommit(store);
    this.retention = new Retention(store);
    this.keep = keep;
    this.who = who;
    this.executor = executor;
    this.storeExecutor = storeExecutor;
    this.outbox = outbox;
  }

  /** Takes an event; returns at once. */
  public void on(CoordinatorEvent event) {
    synchronized (events) {
      events.add(event);
      if (running) {
        return;
      }
      running = true;
    }
    try {
      executor.execute(this::drain);
    } catch (RejectedExecutionException e) {
      LOG.debug("{} came for {}, whose process has ended", event, group);
    }
  }

  private void drain() {
    while (true) {
      CoordinatorEvent event;
      synchronized (events) {
        event = events.poll();
        if (event == null) {
          running = false;
          return;
        }
      }
      try {
        coordinator.on(event).forEach(this::carryOut);
      } catch (RuntimeException | Error e) {
        // the next event goes on: a group that stops listening would hang its ranks
        LOG.error("Coordinator of {} could not handle {}", group, event, e);
      }
    }
  }

  private void carryOut(CoordinatorAction action) {
    if (action instanceof CoordinatorAction.Tell tell) {
      outbox.tell(tell.rank(), tell.incarnation(), tell.message());
    } else if (action instanceof CoordinatorAction.ClaimEpoch) {
      onStore(() -> on(claim()));
    } else if (action instanceof CoordinatorAction.CommitManifest asked) {
      commitSoon(withNonce(asked.manifest()));
    }
  }

  private void commitSoon(CheckpointManifest manifest) {
    if (commitsWaiting.incrementAndGet() > MAX_COMMITS_WAITING) {
      commitsWaiting.decrementAndGet();
      ended(manifest, new CommitOutcome.Failed(MAX_COMMITS_WAITING + " commits wait for STORE"));
      return;
    }
    onStore(
        () -> {
          try {
            commit(manifest);
          } catch (RuntimeException e) {
            LOG.error("The commit of {} broke off", manifest.id(), e);
            ended(manifest, new CommitOutcome.Unknown(e.toString()));
          } finally {
            commitsWaiting.decrementAndGet();
          }
        });
  }

  private void onStore(Runnable task) {
    try {
      storeExecutor.execute(task);
    } catch (RejectedExecutionException e) {
      LOG.warn("{}: the process ends before the store was asked", group);
    }
  }

  private void ended(CheckpointManifest manifest, CommitOutcome outcome) {
    on(new CoordinatorEvent.CommitEnded(manifest.id(), ManifestCodec.digest(manifest), outcome));
  }

  private CoordinatorEvent claim() {
    try {
      long epoch = epochs.take(group, who);
      LOG.info("{} begins epoch {}", group, epoch);
      return new CoordinatorEvent.EpochTaken(epoch);
    } catch (IOException | RuntimeException e) {
      return new CoordinatorEvent.EpochRefused(
          "no epoch could be taken for " + group + ": " + e.getMessage());
    }
  }

  /**
   * Commits, unless a later epoch exists. Asks for it again afterwards, before anybody is told:
   * what is reported sealed must not have been abandoned already.
   */
  private void commit(CheckpointManifest manifest) {
    if (superseded(manifest.id())) {
      return;
    }
    CommitOutcome outcome = commit.commit(manifest, Layout.MANIFEST);
    if (superseded(manifest.id())) {
      return;
    }
    ended(manifest, outcome);
    if (outcome instanceof CommitOutcome.Committed) {
      retain(manifest.id());
    } else {
      LOG.warn("{} was not committed: {}", manifest.id(), outcome);
    }
  }

  private boolean superseded(CheckpointId id) {
    try {
      long newest = epochs.newest(group);
      if (newest <= id.epoch()) {
        return false;
      }
      String holder = epochs.holder(group, newest).orElse("an unknown process");
      LOG.error(
          "Another run of {} took epoch {}: {}. This one stops counting", group, newest, holder);
      on(new CoordinatorEvent.Superseded(newest, holder));
      return true;
    } catch (IOException e) {
      // readers decide in the end; this tells a zombie early
      LOG.warn("Epochs of {} could not be listed at a commit: {}", group, e.getMessage());
      return false;
    }
  }

  private void retain(CheckpointId sealed) {
    try {
      retention.apply(sealed.group(), sealed.epoch(), keep);
    } catch (IOException e) {
      LOG.warn("Old checkpoints of {} could not be deleted: {}", group, e.getMessage());
    }
  }

  /** Gives a manifest the nonce by which this attempt knows it again. */
  static CheckpointManifest withNonce(CheckpointManifest m) {
    return new CheckpointManifest(
        m.id(),
        m.size(),
        m.parent(),
        m.ancestry(),
        UUID.randomUUID().toString(),
        List.copyOf(m.containers()));
  }
}
