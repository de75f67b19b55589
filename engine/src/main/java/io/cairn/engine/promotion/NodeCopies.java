package io.cairn.engine.promotion;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.Level;
import io.cairn.flush.commit.Retention;
import io.cairn.flush.format.Layout;
import io.cairn.flush.pipeline.Stage;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreEntry;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What of this process lies at NODE, and when it may go: when newer checkpoints are sealed, or the
 * group gave it up, and STORE does not need it. Deletes on NODE's stage, after what was queued
 * there before. Thread-safe.
 */
public final class NodeCopies {
  private static final Logger LOG = LoggerFactory.getLogger(NodeCopies.class);
  private static final int MAX_SEALED_KNOWN = 4096;

  private record Needed(CheckpointId id, int rank) {}

  private final CheckpointStore node;
  private final Stage stage;
  private final Retention retention;
  private final int keep;

  /** Other nodes may hold the other ranks' parts, so what is sealed cannot be seen here. */
  private final ConcurrentSkipListSet<CheckpointId> sealedAtNode = new ConcurrentSkipListSet<>();

  /** Due at STORE and not settled there yet. */
  private final Set<Needed> neededByStore = ConcurrentHashMap.newKeySet();

  NodeCopies(CheckpointStore node, Stage stage, int keep) {
    this.node = node;
    this.stage = stage;
    this.retention = new Retention(node);
    this.keep = keep;
  }

  /** Keeps a copy for STORE; false if STORE is settled, and nobody would let go of it again. */
  boolean keepForStore(Promotion.Work work) {
    Needed needed = new Needed(work.id(), work.member().rank());
    neededByStore.add(needed);
    if (work.settled().test(Level.STORE)) {
      neededByStore.remove(needed);
      return false;
    }
    return true;
  }

  /**
   * Lets go of what STORE needed. Not before the whole group's checkpoint is settled there: on one
   * node, another rank's process may still read its part.
   */
  public void settledAtStore(CheckpointId id, int rank) {
    neededByStore.remove(new Needed(id, rank));
  }

  /** Deletes what the group gave up, and STORE does not need; returns at once. */
  public void drop(CheckpointId id) {
    soon(
        "What is left of " + id,
        () -> {
          String directory = Layout.checkpoint(id);
          for (StoreEntry entry : node.list(directory)) {
            if (Layout.isManifest(entry.name())) {
              node.delete(Layout.file(id, entry.name()));
            }
          }
          node.deleteDirectory(directory);
        });
  }

  /** Deletes what newer sealed checkpoints replace; returns at once. */
  public void retain(CheckpointId sealed) {
    sealedAtNode.add(sealed);
    if (sealedAtNode.size() > MAX_SEALED_KNOWN) {
      sealedAtNode.pollFirst();
    }
    soon(
        "What " + sealed + " replaces",
        () ->
            retention.apply(
                sealed.group(),
                sealed.epoch(),
                keep,
                stored -> stored.coversGroup() || sealedAtNode.contains(stored.id()),
                neededByStore.stream().map(Needed::id).collect(Collectors.toSet())));
  }

  private interface Deletion {
    void run() throws IOException;
  }

  private void soon(String what, Deletion deletion) {
    boolean taken =
        stage.offer(
            0,
            () -> {
              try {
                deletion.run();
              } catch (IOException e) {
                LOG.warn("{} stays at {}: {}", what, node.describe(), e.getMessage());
              }
            });
    if (!taken) {
      LOG.debug("{} stays until the next seal: the stage is full", what);
    }
  }
}
