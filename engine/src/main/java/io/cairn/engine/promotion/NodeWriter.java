package io.cairn.engine.promotion;

import io.cairn.CairnEvent;
import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.Outcome;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.protocol.CommitOutcome;
import io.cairn.core.protocol.Origin;
import io.cairn.core.protocol.RankSurvey;
import io.cairn.flush.commit.EpochFiles;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.ManifestCommit;
import io.cairn.flush.commit.Retention;
import io.cairn.flush.commit.StoredCheckpoint;
import io.cairn.flush.format.ContainerWriter;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.restore.Copy;
import io.cairn.flush.restore.CopySource;
import io.cairn.flush.restore.Holding;
import io.cairn.flush.restore.StoreCopies;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.LateStore;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * NODE: one rank's containers and its part of the manifest, in the node's directory. The directory
 * also holds the epochs of this machine, so that an attempt notices a later one without the store.
 */
public final class NodeWriter implements LevelWriter {
  private static final Logger LOG = LoggerFactory.getLogger(NodeWriter.class);

  /** Checkpoints that a group keeps here at most; nothing is deleted before so many are sealed. */
  public static final int MOST_KEPT = LevelCopies.MAX_SEALED_KNOWN;

  private final Level level;
  private final NodeDirectory directory;
  private final LateStore root;
  private final NodeGroups node;
  private final int keep;
  private final Bases bases;
  private final NodeContainers containers;
  private final NodeCleaning cleaning;
  private final Consumer<? super CairnEvent> events;

  /** Directories of other births, and newer epochs, that were reported. */
  private final Set<String> reported = ConcurrentHashMap.newKeySet();

  /** Epochs that began without a claim, and are marked once something is written in them. */
  private final Map<GroupId, Long> unmarked = new ConcurrentHashMap<>();

  /** Of groups with ranks here; each remembers the manifests that it has read. */
  private final Map<GroupId, Retention> retentions = new ConcurrentHashMap<>();

  /**
   * Writes to this node.
   *
   * @param level that this node's copies are at
   * @param directory the root; made again if it vanishes
   * @param root stays the caller's to close
   * @param node the groups below it
   * @param writer of the containers; used by this only
   * @param keep checkpoints kept per group, {@link #MOST_KEPT} at most
   * @param maxLayers containers that one leans on at most; 0 writes every checkpoint whole
   * @param cleaning of this node
   * @param events receives {@link CairnEvent.Written}
   */
  public NodeWriter(
      Level level,
      NodeDirectory directory,
      LateStore root,
      NodeGroups node,
      ContainerWriter writer,
      int keep,
      int maxLayers,
      NodeCleaning cleaning,
      Consumer<? super CairnEvent> events) {
    this.level = level;
    this.directory = directory;
    this.root = root;
    this.node = node;
    this.keep = Math.min(keep, MOST_KEPT);
    this.bases = new Bases(maxLayers);
    this.containers = new NodeContainers(writer, bases);
    this.cleaning = cleaning;
    this.events = events;
  }

  /** Like the other, without compression and events; every checkpoint is whole. */
  public NodeWriter(
      Level level,
      NodeDirectory directory,
      LateStore root,
      NodeGroups node,
      int chunkBytes,
      int keep,
      NodeCleaning cleaning) {
    this(level, directory, root, node, new ContainerWriter(chunkBytes), keep, 0, cleaning, e -> {});
  }

  @Override
  public CopySource copies(Optional<RankSurvey> atStore) {
    return new Copies();
  }

  /** The copies of each group's present birth. */
  private final class Copies implements CopySource {
    @Override
    public Level level() {
      return level;
    }

    @Override
    public String describe() {
      return node.describe();
    }

    @Override
    public int lanes() {
      return StoreCopies.LANES;
    }

    @Override
    public Map<CheckpointId, Holding> holdings(Member member) throws IOException {
      return of(member.group()).holdings(member);
    }

    @Override
    public Optional<Copy> open(CheckpointId id, int rank) throws IOException {
      return of(id.group()).open(id, rank);
    }

    @Override
    public Map<Integer, Fingerprint> programs(CheckpointId id) throws IOException {
      return of(id.group()).programs(id);
    }

    private StoreCopies of(GroupId group) throws IOException {
      return new StoreCopies(node.of(group), level);
    }
  }

  @Override
  public Optional<Origin> enter(GroupId group) throws IOException {
    retentions.remove(group); // the birth may be another one
    String birth = node.enter(group, directory);
    long newest = 0;
    try {
      newest = new EpochFiles(node.of(group)).newestTrace(group);
      for (String strange : node.strange(group)) {
        if (reported.add(strange)) {
          LOG.warn(
              "{}/{} is not of the birth {} of {}, so nothing there is restored; it is deleted once"
                  + " the group has sealed checkpoints at NODE",
              node.describe(),
              strange,
              birth,
              group);
        }
      }
    } catch (IOException e) {
      LOG.warn("The epochs of {} at NODE are unknown", group, e);
    }
    return Optional.of(new Origin(birth, newest));
  }

  @Override
  public void begin(Member member, long epoch, boolean claimed) {
    GroupId group = member.group();
    cleaning.begun(group);
    try {
      retentions.put(group, Retention.amongWriters(node.of(group)));
    } catch (IOException e) {
      LOG.warn("{} at NODE cannot be found", group, e);
    }
    if (claimed) {
      mark(group, epoch);
    } else {
      unmarked.put(group, epoch);
    }
  }

  /** So that an attempt of an earlier epoch notices. */
  private void mark(GroupId group, long epoch) {
    try {
      node.of(group).create(StoreNames.epoch(group, epoch)).close();
    } catch (FileAlreadyExistsException e) {
      LOG.debug("Epoch {} of {} is known on this node", epoch, group);
    } catch (IOException e) {
      LOG.warn("Epoch {} of {} could not be marked at NODE", epoch, group, e);
    }
  }

  @Override
  public List<ContainerSummary> write(Promoted checkpoint, NearestCopy nearest) throws IOException {
    root.requireOpen();
    CheckpointStore store = node.of(checkpoint.id().group());
    if (unmarked.remove(checkpoint.id().group(), checkpoint.id().epoch())) {
      mark(checkpoint.id().group(), checkpoint.id().epoch());
    }
    requireNewest(store, checkpoint.id());
    remakeIfGone();
    cleaning.run(checkpoint.id().group());
    NodeContainers.Written written;
    try (OpenCopies source = nearest.open(1)) {
      written = containers.write(store, checkpoint, source.first());
      publish(store, checkpoint, written);
    }
    // not before: nothing may lean on a container that no manifest names
    written.next().ifPresent(next -> bases.written(checkpoint.rank(), next));
    long bytes = written.all().stream().mapToLong(ContainerSummary::bytes).sum();
    events.accept(new CairnEvent.Written(checkpoint.id(), level, checkpoint.bytes(), bytes));
    return List.of();
  }

  private void requireNewest(CheckpointStore store, CheckpointId id) throws SupersededException {
    long newest = newestEpoch(store, id.group());
    if (newest > id.epoch()) {
      String reason = "epoch " + newest + " of " + id.group() + " began on this node";
      if (reported.add(id.group() + " " + id.epoch() + " " + newest)) {
        LOG.error(
            "Checkpoints of {} do not count any more: {} ({}/{})",
            id.group(),
            reason,
            store.describe(),
            StoreNames.epoch(id.group(), newest));
      }
      throw new SupersededException(reason);
    }
  }

  private static long newestEpoch(CheckpointStore store, GroupId group) {
    try {
      return new EpochFiles(store).newest(group);
    } catch (IOException e) {
      // readers decide in the end; the write to a directory that vanished reports that
      return 0;
    }
  }

  /** A node directory in shared memory may be swept away; the next checkpoint starts it anew. */
  private void remakeIfGone() throws IOException {
    if (Files.notExists(directory.path())) {
      LOG.warn("The node directory {} vanished: its checkpoints are lost", directory.path());
      directory.open().close();
    }
  }

  private static void publish(
      CheckpointStore store, Promoted checkpoint, NodeContainers.Written written)
      throws IOException {
    CheckpointManifest part =
        new CheckpointManifest(
            checkpoint.id(),
            checkpoint.member().size(),
            checkpoint.parent(),
            checkpoint.ancestry(),
            UUID.randomUUID().toString(),
            written.all());
    String name = StoreNames.manifestPart(checkpoint.rank());
    if (written.base().isPresent()) {
      Inventory.requireContainers(store, part);
    }
    CommitOutcome outcome = new ManifestCommit(store).commit(part, name);
    if (!(outcome instanceof CommitOutcome.Committed)) {
      throw new IOException("manifest at " + store.describe() + ": " + outcome);
    }
    if (written.base().isPresent()) {
      requireBase(store, written.base().get(), checkpoint.id(), name);
    }
  }

  /**
   * Another process of this node may have withdrawn the base before it saw the new manifest, and
   * delete what that leans on. See {@link Retention}.
   */
  private static void requireBase(
      CheckpointStore store, CheckpointId base, CheckpointId id, String name) throws IOException {
    boolean there =
        store.list(StoreNames.checkpoint(base)).stream().anyMatch(file -> file.name().equals(name));
    if (!there) {
      store.delete(StoreNames.file(id, name));
      throw new IOException(base + " was deleted at NODE while " + id + " was written upon it");
    }
  }

  @Override
  public void retain(CheckpointId newest, Predicate<CheckpointId> sealed, Set<CheckpointId> needed)
      throws IOException {
    GroupId group = newest.group();
    Retention retention = retention(group);
    if (!retention.mayDelete(group, newest.epoch(), keep, sealed, needed)) {
      return;
    }
    Retention.Report report =
        retention.apply(
            group,
            newest.epoch(),
            keep,
            stored -> sealed.test(stored.id()) || isWholeAndPast(stored, newest),
            needed);
    if (!report.kept().isEmpty()) {
      node.deleteStrange(group);
    }
    report.requireDone();
  }

  /**
   * Other processes write this node, too. The last deletions of a group that has left read anew.
   */
  private Retention retention(GroupId group) throws IOException {
    Retention present = retentions.get(group);
    return present == null ? Retention.amongWriters(node.of(group)) : present;
  }

  /**
   * One of the current epoch may be published and not sealed, when its rank could not read that.
   * The group gives it up, so it replaces none.
   */
  private static boolean isWholeAndPast(StoredCheckpoint stored, CheckpointId newest) {
    return stored.coversGroup() && stored.id().epoch() < newest.epoch();
  }

  @Override
  public void settled(CheckpointId id, int rank, Outcome outcome) {
    bases.settled(id, rank, outcome);
  }

  @Override
  public void left(GroupId group, OptionalLong ended) {
    retentions.remove(group);
    bases.left(group);
    if (ended.isPresent()) {
      cleaning.ended(group, ended.getAsLong());
      node.ended(group);
    } else {
      cleaning.left(group);
    }
  }

  @Override
  public void drop(CheckpointId id) throws IOException {
    retention(id.group()).drop(id);
  }
}
