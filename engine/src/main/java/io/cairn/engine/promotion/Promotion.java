package io.cairn.engine.promotion;

import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.Pin;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.CheckpointManifest.Parent;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.GroupId;
import io.cairn.core.model.Level;
import io.cairn.core.model.Member;
import io.cairn.core.protocol.CommitOutcome;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.flush.commit.EpochFiles;
import io.cairn.flush.commit.ManifestCommit;
import io.cairn.flush.commit.Retention;
import io.cairn.flush.format.ContainerReader;
import io.cairn.flush.format.ContainerWriter;
import io.cairn.flush.format.Layout;
import io.cairn.flush.pipeline.Stage;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreEntry;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes captured checkpoints from DEVICE to NODE and from there to STORE, each on a stage of its
 * own with its own bound, and tells the group's coordinator what this rank now holds where. A slow
 * store pins NODE, never DEVICE; only if NODE fails, STORE reads from DEVICE. Thread-safe.
 */
public final class Promotion implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Promotion.class);

  /**
   * One rank's checkpoint on its way down.
   *
   * @param source pinned by the promotion until NODE holds it
   * @param toStore whether it is due at STORE too
   * @param settled whether a level is settled already, such as by another rank that skipped
   * @param coordinator takes what this rank has to say
   * @param fenced takes the reason if a later epoch shows up
   */
  public record Work(
      Member member,
      CheckpointId id,
      CachedCheckpoint source,
      Optional<Parent> parent,
      Ancestry ancestry,
      boolean toStore,
      Predicate<Level> settled,
      Consumer<MemberMessage> coordinator,
      Consumer<String> fenced) {
    private Needed needed() {
      return new Needed(id, member.rank());
    }

    long bytes() {
      return source.images().stream().mapToLong(image -> image.bytes()).sum();
    }

    void held(Level level, ContainerSummary container) {
      coordinator.accept(
          new MemberMessage.Held(
              member.rank(), id.epoch(), id.iteration(), level, Optional.of(container)));
    }

    void gaveUp(Level level, boolean failed, String reason) {
      coordinator.accept(
          new MemberMessage.GaveUp(
              member.rank(), id.epoch(), id.iteration(), level, failed, reason));
    }
  }

  private static final int MAX_SEALED_KNOWN = 4096;

  private final NodeDirectory nodeDirectory;
  private final CheckpointStore node;
  private final CheckpointStore store;
  private final EpochFiles nodeEpochs;
  private final ManifestCommit nodeCommit;
  private final Retention nodeRetention;
  private final Stage nodeStage;
  private final Stage storeStage;
  private final ContainerWriter nodeWriter;
  private final ContainerWriter storeWriter;
  private final int keep;

  /** Other nodes may hold the other ranks' parts, so what is sealed cannot be seen here. */
  private final ConcurrentSkipListSet<CheckpointId> sealedAtNode = new ConcurrentSkipListSet<>();

  /** Due at STORE and not settled there yet. */
  private final Set<Needed> readAtNode = ConcurrentHashMap.newKeySet();

  private record Needed(CheckpointId id, int rank) {}

  /**
   * Starts both stages.
   *
   * @param nodeDirectory the root of {@code node}; made again if it vanishes
   * @param queueBytes bytes that may wait per stage
   * @param keep checkpoints kept at NODE per group
   */
  public Promotion(
      NodeDirectory nodeDirectory,
      CheckpointStore node,
      CheckpointStore store,
      int chunkBytes,
      long queueBytes,
      int keep) {
    this.nodeDirectory = nodeDirectory;
    this.node = node;
    this.store = store;
    this.keep = keep;
    this.nodeEpochs = new EpochFiles(node);
    this.nodeCommit = new ManifestCommit(node);
    this.nodeRetention = new Retention(node);
    this.nodeWriter = new ContainerWriter(chunkBytes);
    this.storeWriter = new ContainerWriter(chunkBytes);
    this.nodeStage = Stage.start("node", queueBytes);
    this.storeStage = Stage.start("store", queueBytes);
  }

  /** Marks the epoch on this node, so that older attempts here notice. Does I/O. */
  public void announce(GroupId group, long epoch) {
    try {
      node.create(Layout.epoch(group, epoch)).close();
    } catch (FileAlreadyExistsException e) {
      LOG.debug("Epoch {} of {} is known on this node", epoch, group);
    } catch (IOException e) {
      LOG.warn("Epoch {} of {} could not be marked at NODE: {}", epoch, group, e.getMessage());
    }
  }

  /** Sends a complete checkpoint down; returns at once. What does not fit its stage is skipped. */
  public void promote(Work work) {
    Optional<Pin> pin = work.source().pin();
    if (pin.isEmpty()) {
      give(work, false, "it left the device cache before it could be pinned");
      return;
    }
    Pin pinned = pin.get();
    if (!nodeStage.offer(work.bytes(), () -> toNode(work, pinned))) {
      pinned.close();
      give(
          work,
          false,
          "NODE is slower than the cadence: " + nodeStage.queuedBytes() + " bytes wait");
    }
  }

  private static void give(Work work, boolean failed, String reason) {
    work.gaveUp(Level.NODE, failed, reason);
    if (work.toStore()) {
      work.gaveUp(Level.STORE, failed, reason);
    }
  }

  private void toNode(Work work, Pin pin) {
    boolean pinHandedOn = false;
    boolean toStore = false;
    try {
      long newest = newestAtNode(work.id().group());
      if (newest > work.id().epoch()) {
        work.fenced()
            .accept("epoch " + newest + " of " + work.id().group() + " began on this node");
        return;
      }
      if (work.settled().test(Level.NODE)) {
        return; // another rank gave the whole group's up
      }
      toStore = work.toStore() && keepForStore(work);
      remakeIfGone();
      ContainerSummary container = writeNode(work);
      work.held(Level.NODE, container);
      if (toStore) {
        offerStore(work, Optional.of(container), () -> {});
      }
    } catch (IOException | RuntimeException e) {
      readAtNode.remove(work.needed());
      LOG.warn("{} does not reach NODE: {}", work.id(), e.toString());
      work.gaveUp(Level.NODE, true, message(e));
      if (toStore) {
        pinHandedOn = true;
        offerStore(work, Optional.empty(), pin::close);
      }
    } finally {
      if (!pinHandedOn) {
        pin.close();
      }
    }
  }

  /**
   * Keeps NODE's copy for STORE; false if STORE is settled, and nobody would let go of it again.
   */
  private boolean keepForStore(Work work) {
    readAtNode.add(work.needed());
    if (work.settled().test(Level.STORE)) {
      readAtNode.remove(work.needed());
      return false;
    }
    return true;
  }

  private long newestAtNode(GroupId group) {
    try {
      return nodeEpochs.newest(group);
    } catch (IOException e) {
      // readers decide in the end; a directory that vanished fails at the write and says so there
      return 0;
    }
  }

  /** A node directory in shared memory may be swept away; the next checkpoint starts it anew. */
  private void remakeIfGone() throws IOException {
    if (Files.notExists(nodeDirectory.path())) {
      LOG.warn("The node directory {} vanished: its checkpoints are lost", nodeDirectory.path());
      nodeDirectory.open().close();
    }
  }

  private ContainerSummary writeNode(Work work) throws IOException {
    ContainerSummary container =
        nodeWriter.write(
            node, work.member(), work.id(), work.source().images(), work.source().reader());
    CheckpointManifest part =
        new CheckpointManifest(
            work.id(),
            work.member().size(),
            work.parent(),
            work.ancestry(),
            UUID.randomUUID().toString(),
            List.of(container));
    CommitOutcome outcome = nodeCommit.commit(part, Layout.manifestPart(work.member().rank()));
    if (!(outcome instanceof CommitOutcome.Committed)) {
      throw new IOException("manifest at " + node.describe() + ": " + outcome);
    }
    return container;
  }

  private void offerStore(Work work, Optional<ContainerSummary> atNode, Runnable done) {
    Runnable task =
        () -> {
          try {
            work.held(
                Level.STORE, atNode.isPresent() ? fromNode(work, atNode.get()) : fromDevice(work));
          } catch (IOException | RuntimeException e) {
            LOG.warn("{} does not reach STORE: {}", work.id(), e.toString());
            work.gaveUp(Level.STORE, true, message(e));
          } finally {
            done.run();
          }
        };
    if (!storeStage.offer(work.bytes(), task)) {
      done.run();
      work.gaveUp(
          Level.STORE,
          false,
          "STORE is slower than the cadence: " + storeStage.queuedBytes() + " bytes wait");
    }
  }

  private ContainerSummary fromNode(Work work, ContainerSummary container) throws IOException {
    int rank = work.member().rank();
    try (ContainerReader reader = ContainerReader.open(node, work.id(), container)) {
      return storeWriter.write(
          store, work.member(), work.id(), reader.images(rank), reader.chunks(rank));
    }
  }

  private ContainerSummary fromDevice(Work work) throws IOException {
    return storeWriter.write(
        store, work.member(), work.id(), work.source().images(), work.source().reader());
  }

  /**
   * Lets go of what STORE needed at NODE. Not before the whole group's checkpoint is settled there:
   * on one node, another rank's process may still read its part.
   */
  public void settledAtStore(CheckpointId id, int rank) {
    readAtNode.remove(new Needed(id, rank));
  }

  /** Deletes at NODE what the group gave up there, and STORE does not need; returns at once. */
  public void dropAtNode(CheckpointId id) {
    boolean taken =
        nodeStage.offer(
            0,
            () -> {
              try {
                String directory = Layout.checkpoint(id);
                for (StoreEntry entry : node.list(directory)) {
                  if (Layout.isManifest(entry.name())) {
                    node.delete(Layout.file(id, entry.name()));
                  }
                }
                node.deleteDirectory(directory);
              } catch (IOException e) {
                LOG.warn("{} stays at {}: {}", id, node.describe(), e.getMessage());
              }
            });
    if (!taken) {
      LOG.debug("What is left of {} at NODE stays until the next epoch", id);
    }
  }

  /** Deletes at NODE what newer sealed checkpoints replace; returns at once. */
  public void retainAtNode(CheckpointId sealed) {
    sealedAtNode.add(sealed);
    if (sealedAtNode.size() > MAX_SEALED_KNOWN) {
      sealedAtNode.pollFirst();
    }
    boolean taken =
        nodeStage.offer(
            0,
            () -> {
              try {
                nodeRetention.apply(
                    sealed.group(),
                    sealed.epoch(),
                    keep,
                    stored -> stored.coversGroup() || sealedAtNode.contains(stored.id()),
                    readAtNode.stream().map(Needed::id).collect(Collectors.toSet()));
              } catch (IOException e) {
                LOG.warn(
                    "Old checkpoints at {} were not deleted: {}", node.describe(), e.getMessage());
              }
            });
    if (!taken) {
      LOG.debug("Retention at NODE waits for the next seal: the stage is full");
    }
  }

  private static String message(Exception e) {
    return e.getMessage() == null ? e.toString() : e.getMessage();
  }

  /** Ends both stages, waiting for what is queued for at most {@code patience} each. */
  public void close(Duration patience) {
    nodeStage.close(patience);
    storeStage.close(patience);
  }

  @Override
  public void close() {
    close(Duration.ZERO);
  }
}
