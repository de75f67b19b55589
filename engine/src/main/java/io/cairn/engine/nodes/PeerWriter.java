package io.cairn.engine.nodes;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.protocol.RankSurvey;
import io.cairn.core.wire.NodeSite;
import io.cairn.engine.promotion.LevelWriter;
import io.cairn.engine.promotion.NearestCopy;
import io.cairn.engine.promotion.NodeGroups;
import io.cairn.engine.promotion.NodeWriter;
import io.cairn.engine.promotion.Promoted;
import io.cairn.engine.promotion.SkippedException;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.restore.Copy;
import io.cairn.flush.restore.CopySource;
import io.cairn.flush.restore.Holding;
import io.cairn.flush.restore.StoreCopies;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreEntry;
import io.cairn.flush.store.StoreOutput;
import io.cairn.flush.store.SubdirectoryStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * PEER: another node fetches a copy of what this node holds. The two copies together survive the
 * loss of either machine, so NODE keeps every checkpoint that PEER keeps. A mark beside the copy at
 * NODE shows, even to a later process, that another node has one.
 */
public final class PeerWriter implements LevelWriter {
  private final Level level;
  private final CheckpointStore node;
  private final NodeGroups groups;
  private final Partners partners;
  private final int keep;

  /**
   * Copies from this node.
   *
   * @param level that the copies are at
   * @param node the root of NODE; stays the caller's to close
   * @param groups below it
   * @param partners keep the copies
   * @param keep checkpoints kept per group, as many as NODE keeps at most
   */
  public PeerWriter(
      Level level, CheckpointStore node, NodeGroups groups, Partners partners, int keep) {
    this.level = level;
    this.node = node;
    this.groups = groups;
    this.partners = partners;
    this.keep = Math.min(keep, NodeWriter.MOST_KEPT); // partners take no more
  }

  /** The copies that this node keeps for others: the restoring rank may have come from there. */
  @Override
  public CopySource copies(Optional<RankSurvey> atStore) {
    return new Copies();
  }

  private final class Copies implements CopySource {
    @Override
    public Level level() {
      return level;
    }

    @Override
    public String describe() {
      return "the copies for other nodes in " + node.describe();
    }

    @Override
    public Map<CheckpointId, Holding> holdings(Member member) throws IOException {
      return of(member.group()).holdings(member);
    }

    /** A parity is no copy; other nodes have the rest of what a copy is computed from. */
    @Override
    public Optional<Copy> open(CheckpointId id, int rank) throws IOException {
      boolean parity =
          Inventory.find(at(id.group()), id, rank).stream()
              .flatMap(stored -> stored.containersOf(rank).stream())
              .anyMatch(container -> StoreNames.isParity(container.file()));
      return parity ? Optional.empty() : of(id.group()).open(id, rank);
    }

    private StoreCopies of(GroupId group) throws IOException {
      return new StoreCopies(at(group), level);
    }

    private CheckpointStore at(GroupId group) throws IOException {
      return new SubdirectoryStore(node, StoreNames.copies(group, groups.birth(group)));
    }
  }

  @Override
  public List<ContainerSummary> write(Promoted checkpoint, NearestCopy nearest) throws IOException {
    CheckpointId id = checkpoint.id();
    CheckpointStore atNode = groups.of(id.group());
    CheckpointManifest part =
        RankPart.find(atNode, id, checkpoint.rank())
            .orElseThrow(
                () -> new IOException("NODE does not hold " + id + ", which PEER is made from"));
    if (!part.holders().isEmpty()) {
      // it was not due at PEER when it was written at NODE
      throw new SkippedException(
          "NODE holds " + id + " as differences to older checkpoints, which PEER does not keep");
    }
    List<NodeSite> keepers =
        partners.keep(part, groups.birth(id.group()), () -> checkpoint.reporter().isGivenUp(level));
    mark(atNode, StoreNames.file(id, StoreNames.copied(checkpoint.rank())), keepers);
    return List.of();
  }

  private static void mark(CheckpointStore atNode, String path, List<NodeSite> keepers)
      throws IOException {
    String lines = keepers.stream().map(site -> site + "\n").collect(Collectors.joining());
    try (StoreOutput out = atNode.create(path)) {
      out.write(ByteBuffer.wrap(lines.getBytes(StandardCharsets.UTF_8)));
    } catch (FileAlreadyExistsException e) {
      // it was sent before, by an attempt that did not learn of its success
      return;
    }
  }

  @Override
  public void begin(Member member, long epoch, boolean claimed) {
    partners.joined(member, epoch);
  }

  @Override
  public Set<CheckpointId> leansOn(
      GroupId group, Predicate<CheckpointId> sealed, Set<CheckpointId> inUse) throws IOException {
    CheckpointStore atNode = groups.of(group);
    Set<CheckpointId> kept = new HashSet<>();
    int known = 0;
    for (CheckpointId id : here(atNode, group)) {
      if (known < keep && sealed.test(id)) {
        known++;
        kept.add(id);
      } else if (known == 0 && !inUse.contains(id) && isMarked(atNode, id)) {
        // sealed by an earlier process, or by the group when this one had left
        kept.add(id);
      }
    }
    return kept;
  }

  private static boolean isMarked(CheckpointStore atNode, CheckpointId id) throws IOException {
    return atNode.list(StoreNames.checkpoint(id)).stream()
        .anyMatch(file -> StoreNames.isCopied(file.name()));
  }

  /** The checkpoints of a group with a directory at this node, the newest first. */
  private static List<CheckpointId> here(CheckpointStore atNode, GroupId group) throws IOException {
    return atNode.list(StoreNames.group(group)).stream()
        .filter(StoreEntry::directory)
        .flatMap(entry -> CheckpointId.parse(group, entry.name()).stream())
        .sorted(Comparator.reverseOrder())
        .toList();
  }

  /** Those that count as sealed are at NODE, too. */
  @Override
  public void retain(CheckpointId newest, Predicate<CheckpointId> sealed, Set<CheckpointId> needed)
      throws IOException {
    GroupId group = newest.group();
    partners.retain(newest, keep, here(groups.of(group), group).stream().filter(sealed).toList());
  }

  @Override
  public void drop(CheckpointId id) throws IOException {
    partners.drop(id);
    CheckpointStore atNode = groups.of(id.group());
    for (StoreEntry file : atNode.list(StoreNames.checkpoint(id))) {
      if (StoreNames.isCopied(file.name())) {
        atNode.delete(StoreNames.file(id, file.name()));
      }
    }
  }

  @Override
  public void left(GroupId group, OptionalLong ended) {
    if (ended.isPresent()) {
      partners.release(group, ended.getAsLong());
    } else {
      partners.forget(group);
    }
  }
}
