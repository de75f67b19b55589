package io.cairn.engine.promotion;

import io.cairn.CairnEvent;
import io.cairn.CheckpointId;
import io.cairn.Compression;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.RegionImage;
import io.cairn.core.model.StagingBuffer;
import io.cairn.core.protocol.CommitOutcome;
import io.cairn.flush.commit.EpochFiles;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.ManifestCommit;
import io.cairn.flush.commit.Quarantine;
import io.cairn.flush.format.ContainerWriter;
import io.cairn.flush.format.FormatException;
import io.cairn.flush.format.RankChunks;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.restore.Copy;
import io.cairn.flush.restore.Examination;
import io.cairn.flush.restore.Examination.Defect;
import io.cairn.flush.restore.RestorePlanner;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreEntry;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces a rank's bad copy at NODE by a good one, and sets the bad one aside. Not thread-safe:
 * one thread uses it.
 */
public final class NodeRepair {
  /*
   * Order
   * -----
   * The copy is read again, so that a failure that has passed condemns nothing. A whole container
   * is written beside it, from the other copies, and read back. Only then the bad copy is set
   * aside, and a new part of the manifest names the container. So chunks that are good in the bad
   * copy alone are never hidden. A process that ends in between leaves a copy that was set aside
   * without a successor: a later restore from another level repairs it.
   */

  /** Suffix of a repair's container, before a number that no other has. */
  private static final String REPAIRED = "repaired-";

  private static final Logger LOG = LoggerFactory.getLogger(NodeRepair.class);

  private final Level level;
  private final NodeGroups groups;
  private final CheckpointStore atStore;
  private final Compression compression;
  private final boolean parities;
  private final Consumer<? super CairnEvent> events;
  private final StagingBuffer staging = new StagingBuffer();

  /** One copy, and the attempt that repairs it. */
  private record Repair(CheckpointStore node, CheckpointId id, Member member, long epoch) {
    String part() {
      return StoreNames.manifestPart(member.rank());
    }

    List<String> files() throws IOException {
      return node.list(StoreNames.checkpoint(id)).stream().map(StoreEntry::name).toList();
    }
  }

  /**
   * Repairs copies of this node.
   *
   * @param level of the copies
   * @param atStore STORE, which stays the caller's to close
   * @param compression of the containers
   * @param parities whether PEER has parities, which are of use only beside the files that they
   *     were computed from
   * @param events receives what happened
   */
  public NodeRepair(
      Level level,
      NodeGroups groups,
      CheckpointStore atStore,
      Compression compression,
      boolean parities,
      Consumer<? super CairnEvent> events) {
    this.level = level;
    this.groups = groups;
    this.atStore = atStore;
    this.compression = compression;
    this.parities = parities;
    this.events = events;
  }

  /** The level whose copies it repairs. */
  public Level level() {
    return level;
  }

  /**
   * Examines a rank's copy of a checkpoint, and replaces it if it is bad. Reads and writes all of
   * it. Failures become events.
   *
   * @param epoch of the caller; a later one ends the repair
   * @param others all copies but that of this node
   */
  public void run(CheckpointId id, Member member, long epoch, RestorePlanner others) {
    try {
      Repair repair = new Repair(groups.of(id.group()), id, member, epoch);
      Optional<Defect> defect = defect(repair);
      if (defect.isPresent()) {
        replace(repair, defect.get(), others);
      }
    } catch (IOException | RuntimeException e) {
      LOG.debug("The repair of {} ended", id, e);
      events.accept(new CairnEvent.NotRepaired(id, member, level, String.valueOf(e.getMessage())));
    }
  }

  private Optional<Defect> defect(Repair repair) throws IOException {
    int rank = repair.member().rank();
    List<String> files = repair.files();
    if (!files.contains(repair.part())) {
      return new Quarantine(repair.node()).holds(repair.id(), rank)
          ? Optional.of(new Defect(repair.part(), "was set aside before"))
          : Optional.empty();
    }
    return Examination.of(repair.node(), repair.id(), rank, staging);
  }

  private void replace(Repair repair, Defect defect, RestorePlanner others) throws IOException {
    requireAlone(repair);
    CheckpointManifest old = manifest(repair);
    // what a repair left that was cut short goes with the checkpoint
    String name = StoreNames.container(repair.member().rank(), REPAIRED + UUID.randomUUID());
    ContainerSummary good = write(repair, old.size(), name, others);
    try {
      requireGood(repair, good);
      requireAlone(repair);
    } catch (IOException | RuntimeException e) {
      discard(repair, name, e);
      throw e;
    }
    setAside(repair, defect, name);
    publish(repair, old, good);
    events.accept(new CairnEvent.Repaired(repair.id(), repair.member(), level, good.bytes()));
    keepOneAside(repair);
  }

  private static void keepOneAside(Repair repair) {
    try {
      new Quarantine(repair.node()).keepOnly(repair.id(), repair.member().rank());
    } catch (IOException e) {
      LOG.warn("Older bad copies of {} stay at NODE for now", repair.member(), e);
    }
  }

  /** Another attempt of the rank, or PEER, must not need the files as they are. */
  private void requireAlone(Repair repair) throws IOException {
    long newest = new EpochFiles(repair.node()).newest(repair.id().group());
    if (newest > repair.epoch()) {
      throw new SupersededException(
          "epoch " + newest + " of " + repair.id().group() + " began on this node");
    }
    if (parities && repair.files().contains(StoreNames.copied(repair.member().rank()))) {
      throw new IOException(
          "it stays as it is, since PEER has parities of its files; the next checkpoints are"
              + " protected as before");
    }
  }

  /** The manifest that the part at NODE belongs to. STORE has one, too, if that part is bad. */
  private CheckpointManifest manifest(Repair repair) throws IOException {
    CheckpointId id = repair.id();
    int rank = repair.member().rank();
    Optional<CheckpointManifest> readable =
        Inventory.list(repair.node(), id.group())
            .manifests()
            .filter(part -> part.id().equals(id) && part.ranks().contains(rank))
            .findFirst();
    if (readable.isPresent()) {
      return readable.get();
    }
    return Inventory.find(atStore, id, rank)
        .flatMap(stored -> stored.parts().stream().findFirst())
        .orElseThrow(
            () -> new NoSuchFileException(atStore.describe(), null, "no manifest describes " + id));
  }

  /** The group that wrote the checkpoint may have had more ranks than the present one, or fewer. */
  private ContainerSummary write(Repair repair, int size, String name, RestorePlanner others)
      throws IOException {
    Member member = repair.member();
    CheckpointId id = repair.id();
    try (Copy good =
        others
            .copy(id, member)
            .orElseThrow(() -> new IOException("there is no other copy of " + id))) {
      RankChunks chunks =
          new RankChunks(member.rank(), good.images(), good.reader()).writtenBy(good.program());
      return new ContainerWriter(longestChunk(good.images()), compression)
          .write(repair.node(), id, size, List.of(chunks), name)
          .writtenBy(good.program());
    }
  }

  private static int longestChunk(List<RegionImage> images) {
    return images.stream()
        .filter(image -> image.chunks() > 0)
        .mapToInt(image -> image.chunkLength(0))
        .max()
        .orElse(1);
  }

  private void requireGood(Repair repair, ContainerSummary good) throws IOException {
    Optional<Defect> defect =
        Examination.of(repair.node(), repair.id(), repair.member().rank(), List.of(good), staging);
    if (defect.isPresent()) {
      throw new FormatException(defect.get().file(), 0, defect.get().reason());
    }
  }

  private void setAside(Repair repair, Defect defect, String replacement) throws IOException {
    if (repair.files().contains(repair.part())) {
      new Quarantine(repair.node()).add(repair.id(), repair.member().rank(), replacement);
      events.accept(
          new CairnEvent.Quarantined(
              repair.id(), repair.member(), level, defect.file(), defect.reason()));
    }
  }

  private static void publish(Repair repair, CheckpointManifest old, ContainerSummary good)
      throws IOException {
    CheckpointManifest part =
        new CheckpointManifest(
            repair.id(),
            old.size(),
            old.parent(),
            old.ancestry(),
            UUID.randomUUID().toString(),
            List.of(good));
    CommitOutcome outcome = new ManifestCommit(repair.node()).commit(part, repair.part());
    if (!(outcome instanceof CommitOutcome.Committed)) {
      throw new IOException("manifest at " + repair.node().describe() + ": " + outcome);
    }
    requireStillThere(repair, part);
  }

  /** Retention may have withdrawn the checkpoint meanwhile, and delete what the part names. */
  private static void requireStillThere(Repair repair, CheckpointManifest part) throws IOException {
    try {
      Inventory.requireContainers(repair.node(), part);
    } catch (IOException e) {
      discard(repair, repair.part(), e);
      throw e;
    }
  }

  private static void discard(Repair repair, String name, Exception cause) {
    try {
      repair.node().delete(StoreNames.file(repair.id(), name));
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }
}
