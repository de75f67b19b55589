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
import io.cairn.engine.sharing.borrower.Loans;
import io.cairn.flush.commit.EpochFiles;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.ManifestCommit;
import io.cairn.flush.format.ContainerWriter;
import io.cairn.flush.format.Layout;
import io.cairn.flush.format.RankReader;
import io.cairn.flush.pipeline.Stage;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
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
   * @param loans what of the source lies at other holders
   * @param toStore whether it is due at STORE too
   * @param timing of its capture
   * @param settled whether a level is settled already, such as by another rank that skipped
   * @param coordinator takes what this rank has to say
   * @param fenced takes the reason if a later epoch shows up
   */
  public record Work(
      Member member,
      CheckpointId id,
      CachedCheckpoint source,
      Loans loans,
      Optional<Parent> parent,
      Ancestry ancestry,
      boolean toStore,
      Timing timing,
      Predicate<Level> settled,
      Consumer<MemberMessage> coordinator,
      Consumer<String> fenced) {
    long bytes() {
      return source.images().stream().mapToLong(image -> image.bytes()).sum();
    }

    void held(Level level, Optional<ContainerSummary> container) {
      coordinator.accept(
          new MemberMessage.Held(
              member.rank(), id.epoch(), id.iteration(), level, container, timing.heldAt(level)));
    }

    void gaveUp(Level level, boolean failed, String reason) {
      coordinator.accept(
          new MemberMessage.GaveUp(
              member.rank(), id.epoch(), id.iteration(), level, failed, reason));
    }
  }

  private final NodeDirectory nodeDirectory;
  private final CheckpointStore node;
  private final CheckpointStore store;
  private final EpochFiles nodeEpochs;
  private final ManifestCommit nodeCommit;
  private final Stage nodeStage;
  private final Stage storeStage;
  private final NodeContainers nodeContainers;
  private final ContainerWriter storeWriter;
  private final NodeCopies nodeCopies;

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
    this.nodeEpochs = new EpochFiles(node);
    this.nodeCommit = new ManifestCommit(node);
    this.nodeContainers = new NodeContainers(node, chunkBytes);
    this.storeWriter = new ContainerWriter(chunkBytes);
    this.nodeStage = Stage.start("node", queueBytes);
    this.storeStage = Stage.start("store", queueBytes);
    this.nodeCopies = new NodeCopies(node, nodeStage, keep);
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

  /**
   * Sends a checkpoint to STORE that NODE has or is about to have; returns at once. Lenders may
   * have let go of what NODE has, so it is read there if it can be, and otherwise at DEVICE.
   */
  public void promoteToStore(Work work) {
    Runnable done = work.source().pin().<Runnable>map(pin -> pin::close).orElse(() -> {});
    nodeCopies.keepForStore(work);
    offerStore(work, () -> atNode(work), done);
  }

  /** What NODE has of a rank's checkpoint now. */
  private List<ContainerSummary> atNode(Work work) {
    try {
      return Inventory.find(node, work.id())
          .map(stored -> stored.containersOf(work.member().rank()))
          .orElse(List.of());
    } catch (IOException e) {
      LOG.warn("{} cannot be looked up at NODE: {}", work.id(), e.toString());
      return List.of();
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
      toStore = work.toStore() && nodeCopies.keepForStore(work);
      remakeIfGone();
      List<ContainerSummary> containers = writeNode(work);
      work.held(Level.NODE, Optional.empty());
      if (toStore) {
        offerStore(work, () -> containers, () -> {});
      }
    } catch (IOException | RuntimeException e) {
      nodeCopies.settledAtStore(work.id(), work.member().rank());
      LOG.warn("{} does not reach NODE: {}", work.id(), e.toString());
      work.gaveUp(Level.NODE, true, message(e));
      if (toStore) {
        pinHandedOn = true;
        offerStore(work, List::of, pin::close);
      }
    } finally {
      if (!pinHandedOn) {
        pin.close();
      }
    }
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

  private List<ContainerSummary> writeNode(Work work) throws IOException {
    List<ContainerSummary> containers = nodeContainers.write(work);
    CheckpointManifest part =
        new CheckpointManifest(
            work.id(),
            work.member().size(),
            work.parent(),
            work.ancestry(),
            UUID.randomUUID().toString(),
            containers);
    CommitOutcome outcome = nodeCommit.commit(part, Layout.manifestPart(work.member().rank()));
    if (!(outcome instanceof CommitOutcome.Committed)) {
      throw new IOException("manifest at " + node.describe() + ": " + outcome);
    }
    return containers;
  }

  /** From NODE, or from DEVICE if nothing of it is there. */
  private void offerStore(Work work, Supplier<List<ContainerSummary>> node, Runnable done) {
    Runnable task =
        () -> {
          try {
            List<ContainerSummary> atNode = node.get();
            work.held(
                Level.STORE,
                Optional.of(atNode.isEmpty() ? fromDevice(work) : fromNode(work, atNode)));
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

  private ContainerSummary fromNode(Work work, List<ContainerSummary> atNode) throws IOException {
    int rank = work.member().rank();
    try (RankReader reader = RankReader.open(node, work.id(), rank, atNode)) {
      return storeWriter.write(store, work.member(), work.id(), reader.images(), reader);
    }
  }

  private ContainerSummary fromDevice(Work work) throws IOException {
    return storeWriter.write(
        store, work.member(), work.id(), work.source().images(), work.source().reader());
  }

  /** What lies at NODE, and when it may go. */
  public NodeCopies nodeCopies() {
    return nodeCopies;
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
