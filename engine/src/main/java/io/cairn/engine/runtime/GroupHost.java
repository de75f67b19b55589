package io.cairn.engine.runtime;

import io.cairn.core.cadence.FixedCadence;
import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.Digest;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out what a group's coordinator decides: takes epochs and commits manifests in the store,
 * and hands messages to ranks. Events are handled one after the other, in order of arrival, on the
 * executor; no lock is held meanwhile. Thread-safe.
 */
public final class GroupHost {
  private static final Logger LOG = LoggerFactory.getLogger(GroupHost.class);

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
  private final Outbox outbox;
  private final Queue<CoordinatorEvent> events = new ArrayDeque<>();
  private boolean running;

  /**
   * A host for one group.
   *
   * @param who says, in each epoch's file, which process took it
   * @param executor runs the handling, which does I/O
   */
  public GroupHost(
      GroupId group,
      int size,
      FixedCadence cadence,
      int keep,
      CheckpointStore store,
      String who,
      Executor executor,
      Outbox outbox) {
    this.group = group;
    this.coordinator = new GroupCoordinator(group, size, cadence);
    this.epochs = new EpochFiles(store);
    this.commit = new ManifestCommit(store);
    this.retention = new Retention(store);
    this.keep = keep;
    this.who = who;
    this.executor = executor;
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
    executor.execute(this::drain);
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
      } catch (RuntimeException e) {
        LOG.error("Coordinator of {} could not handle {}", group, event, e);
      }
    }
  }

  private void carryOut(CoordinatorAction action) {
    if (action instanceof CoordinatorAction.Tell tell) {
      outbox.tell(tell.rank(), tell.incarnation(), tell.message());
    } else if (action instanceof CoordinatorAction.ClaimEpoch) {
      on(claim());
    } else if (action instanceof CoordinatorAction.CommitManifest asked) {
      commit(asked.manifest());
    }
  }

  private CoordinatorEvent claim() {
    try {
      long epoch = epochs.take(group, who);
      LOG.info("{} begins epoch {}", group, epoch);
      return new CoordinatorEvent.EpochTaken(epoch);
    } catch (IOException e) {
      return new CoordinatorEvent.EpochRefused(
          "no epoch could be taken for " + group + ": " + e.getMessage());
    }
  }

  private void commit(CheckpointManifest draft) {
    CheckpointManifest manifest = withNonce(draft);
    Digest digest = ManifestCodec.digest(manifest);
    try {
      long newest = epochs.newest(group);
      if (newest > manifest.id().epoch()) {
        on(new CoordinatorEvent.Superseded(newest));
        return;
      }
    } catch (IOException e) {
      // readers decide in the end; this only spares a zombie the work
      LOG.warn("Epochs of {} could not be listed before a commit: {}", group, e.getMessage());
    }
    CommitOutcome outcome = commit.commit(manifest, Layout.MANIFEST);
    on(new CoordinatorEvent.CommitEnded(manifest.id(), digest, outcome));
    if (outcome instanceof CommitOutcome.Committed) {
      retain(manifest.id());
    } else {
      LOG.warn("{} was not committed: {}", manifest.id(), outcome);
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
