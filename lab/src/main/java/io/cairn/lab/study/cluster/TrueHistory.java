package io.cairn.lab.study.cluster;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Level;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

/**
 * The true history, which no process sees, and the invariants that follow from it. Every rank
 * reports here what it was told and what it found.
 */
final class TrueHistory {
  /** The life of a machine, which ends with its loss. */
  record Home(String machine, int losses) {}

  private record Part(CheckpointId id, int rank) {}

  private record Place(GroupId group, Level level) {}

  /**
   * The ranks of one epoch, and the checkpoints that were sealed when the first one joined.
   *
   * @param newest the newest epoch that had captured anything by then
   */
  private record Beginning(
      Map<Integer, Home> members,
      Set<CheckpointId> atStore,
      Set<CheckpointId> atNode,
      long newest) {}

  /** Whether ranks see the copies at other machines. */
  private final boolean nodesServed;

  /** Whether a checkpoint leans on older ones, so that their damage is its own. */
  private final boolean layered;

  /** Whether the store that is mounted has the claim of a group's epoch. */
  private final BiPredicate<GroupId, Long> claimed;

  private final Map<Part, Long> states = new HashMap<>();

  /** Of epochs that had no claim then: their numbers may be taken by several attempts. */
  private final Map<Part, Set<Long>> statesWithoutClaim = new HashMap<>();

  /** Where each rank ran when it captured a checkpoint. */
  private final Map<CheckpointId, Map<Integer, Home>> homes = new HashMap<>();

  private final Map<GroupId, NavigableSet<CheckpointId>> captured = new HashMap<>();
  private final Map<Place, NavigableSet<CheckpointId>> sealed = new HashMap<>();

  /** Where a checkpoint failed while its attempt went on. */
  private final Set<Place> failed = new HashSet<>();

  /** The ranks that received the seal of a checkpoint at PEER. */
  private final Map<CheckpointId, Set<Integer>> knownAtPeer = new HashMap<>();

  /** Checkpoints with a damaged copy, which need not be found at that level any more. */
  private final Map<Place, NavigableSet<CheckpointId>> damaged = new HashMap<>();

  /** The newest checkpoint at PEER of groups that lose as many machines as it survives. */
  private final Map<GroupId, CheckpointId> atPeer = new HashMap<>();

  private final Set<GroupId> ended = new HashSet<>();
  private final Map<GroupId, TreeMap<Long, Beginning>> epochs = new HashMap<>();

  /** Nothing has happened, and each epoch has a claim. */
  TrueHistory(boolean nodesServed, boolean layered) {
    this(nodesServed, layered, (group, epoch) -> true);
  }

  /** Nothing has happened. */
  TrueHistory(boolean nodesServed, boolean layered, BiPredicate<GroupId, Long> claimed) {
    this.nodesServed = nodesServed;
    this.layered = layered;
    this.claimed = claimed;
  }

  /** Whether checkpoints lean on older ones. */
  boolean layered() {
    return layered;
  }

  /**
   * A rank takes part in an epoch.
   *
   * @param home where it runs; ranks of two attempts may meet in one epoch
   * @param newestSeen the newest epoch when it asked to join
   */
  void joined(GroupId group, long epoch, int rank, Home home, long newestSeen) {
    require(
        epoch > newestSeen,
        group + " begins epoch " + epoch + ", although it had begun " + newestSeen);
    epochs
        .computeIfAbsent(group, g -> new TreeMap<>())
        .computeIfAbsent(epoch, e -> beginning(group))
        .members()
        .put(rank, home);
  }

  /**
   * A rank goes back to an older checkpoint, in a new epoch.
   *
   * @param atStore what {@link #atStore} had before it asked to
   */
  void rolledBack(GroupId group, long epoch, int rank, Home home, Set<CheckpointId> atStore) {
    epochs
        .computeIfAbsent(group, g -> new TreeMap<>())
        .computeIfAbsent(
            epoch, e -> new Beginning(new TreeMap<>(), atStore, Set.of(), newestCaptured(group)))
        .members()
        .put(rank, home);
  }

  /** The checkpoints of a group that are sealed at STORE now. */
  Set<CheckpointId> atStore(GroupId group) {
    return sealed(group, Level.STORE);
  }

  private Beginning beginning(GroupId group) {
    long newest = newestCaptured(group);
    Set<CheckpointId> atNode = sealed(group, Level.NODE);
    atNode.removeIf(id -> id.epoch() != newest);
    return new Beginning(new TreeMap<>(), sealed(group, Level.STORE), atNode, newest);
  }

  /** A copy of the set. */
  private NavigableSet<CheckpointId> sealed(GroupId group, Level level) {
    return new TreeSet<>(sealed.getOrDefault(new Place(group, level), none()));
  }

  private NavigableSet<CheckpointId> damagedOf(GroupId group, Level level) {
    return damaged.getOrDefault(new Place(group, level), none());
  }

  private static NavigableSet<CheckpointId> none() {
    return Collections.emptyNavigableSet();
  }

  private boolean isDamaged(CheckpointId id, Level level) {
    return damagedOf(id.group(), level).contains(id);
  }

  /** As many machines are about to be lost as PEER survives: a group keeps what it has there. */
  void losesMachines(GroupId group) {
    newestAtPeer(group).ifPresent(newest -> atPeer.put(group, newest));
  }

  /** Whether a group has a newer checkpoint at PEER than at STORE. */
  boolean isPeerAhead(GroupId group) {
    NavigableSet<CheckpointId> atPeerNow = sealed(group, Level.PEER);
    NavigableSet<CheckpointId> atStore = sealed(group, Level.STORE);
    return !atPeerNow.isEmpty()
        && (atStore.isEmpty() || atPeerNow.last().compareTo(atStore.last()) > 0);
  }

  /** The newest checkpoint of a group that was sealed at PEER; empty if none was. */
  Optional<CheckpointId> newestAtPeer(GroupId group) {
    NavigableSet<CheckpointId> known = sealed(group, Level.PEER);
    return known.isEmpty() ? Optional.empty() : Optional.of(known.last());
  }

  /** From now on more machines may be lost. */
  void lossIsOver(GroupId group) {
    atPeer.remove(group);
  }

  /**
   * A process deletes all that a node holds of a group. A checkpoint that was sealed there, or at
   * PEER, is needed until STORE has one as new.
   *
   * @param held the checkpoints of which the node has a part, or keeps a copy
   * @param atStore those with a manifest at STORE; the last one of a training need not be due there
   */
  void cleanedAtNode(GroupId group, Set<CheckpointId> held, SortedSet<CheckpointId> atStore) {
    NavigableSet<CheckpointId> needed = sealed(group, Level.NODE);
    needed.addAll(sealed(group, Level.PEER));
    needed.retainAll(held);
    needed.removeIf(id -> !atStore.isEmpty() && id.compareTo(atStore.last()) <= 0);
    require(
        needed.isEmpty(),
        "copies of " + group + " at a node are deleted, although STORE has none of " + needed);
  }

  /** A rank of a group ended its training in order. */
  void ended(GroupId group) {
    ended.add(group);
  }

  /** A copy of a checkpoint was damaged. */
  void damaged(CheckpointId id, Level level) {
    damaged.computeIfAbsent(new Place(id.group(), level), place -> new TreeSet<>()).add(id);
  }

  /** Whether a copy of any checkpoint of a group was damaged at one of these levels. */
  boolean isDamaged(GroupId group, Level... levels) {
    return Stream.of(levels).anyMatch(level -> !damagedOf(group, level).isEmpty());
  }

  /** The checkpoints that any rank of a group captured, the oldest first. */
  NavigableSet<CheckpointId> captured(GroupId group) {
    return Collections.unmodifiableNavigableSet(captured.getOrDefault(group, none()));
  }

  /**
   * The checkpoints of a group whose newest one was sealed at NODE; empty if that was not, as of an
   * attempt that was fenced.
   */
  Set<CheckpointId> capturedIfAtNode(GroupId group) {
    NavigableSet<CheckpointId> captured = captured(group);
    boolean atNode = !captured.isEmpty() && sealed(group, Level.NODE).contains(captured.last());
    return atNode ? captured : Set.of();
  }

  /** The good checkpoints at STORE of the epoch that captured last, which all later ones follow. */
  Set<CheckpointId> goodAtStore(GroupId group) {
    long newest = newestCaptured(group);
    Set<CheckpointId> good = sealed(group, Level.STORE);
    good.removeIf(id -> id.epoch() != newest || isDamaged(id, Level.STORE));
    return good;
  }

  /**
   * Whether every rank received that the newest checkpoint which any of them captured was sealed at
   * PEER. A rank that leaves before does not know what PEER still leans on.
   */
  boolean isLastAtPeer(GroupId group) {
    NavigableSet<CheckpointId> captured = captured(group);
    return !captured.isEmpty()
        && knownAtPeer
            .getOrDefault(captured.last(), Set.of())
            .containsAll(homes.getOrDefault(captured.last(), Map.of()).keySet());
  }

  /** Whether the newest checkpoint that any rank of a group captured is sealed at STORE. */
  boolean isLastAtStore(GroupId group) {
    NavigableSet<CheckpointId> captured = captured(group);
    return !captured.isEmpty() && sealed(group, Level.STORE).contains(captured.last());
  }

  /**
   * Whether a group may refuse to train: it has captured something, and nothing was sealed where it
   * must survive. Nobody knows then whether a seal was lost, so it does not start afresh by itself.
   */
  boolean mayRefuse(GroupId group) {
    return sealed(group, Level.STORE).isEmpty() && !atPeer.containsKey(group);
  }

  /** The greatest epoch with a claim that any rank of a group has joined; 0 if none did. */
  long newestEpoch(GroupId group) {
    return epochs.getOrDefault(group, new TreeMap<>()).descendingKeySet().stream()
        .filter(epoch -> claimed.test(group, epoch))
        .findFirst()
        .orElse(0L);
  }

  /** A rank begins to capture a state. It need not be kept while its epoch has no claim. */
  void captured(CheckpointId id, int rank, long state, Home home) {
    if (!claimed.test(id.group(), id.epoch())) {
      statesWithoutClaim.computeIfAbsent(new Part(id, rank), part -> new HashSet<>()).add(state);
      return;
    }
    Long before = states.put(new Part(id, rank), state);
    require(
        before == null || before == state,
        id.label() + " of rank " + rank + " is captured twice, with different states");
    homes.computeIfAbsent(id, i -> new TreeMap<>()).put(rank, home);
    captured.computeIfAbsent(id.group(), group -> new TreeSet<>()).add(id);
  }

  /** A rank received that its group's checkpoint is sealed. */
  void sealed(CheckpointId id, int rank, Level level) {
    sealed(id, level);
    if (level == Level.PEER) {
      knownAtPeer.computeIfAbsent(id, i -> new HashSet<>()).add(rank);
    }
  }

  /** Likewise, whichever rank it was. */
  void sealed(CheckpointId id, Level level) {
    sealed.computeIfAbsent(new Place(id.group(), level), place -> new TreeSet<>()).add(id);
  }

  /** A rank, whose attempt goes on, received that its group's checkpoint failed. */
  void failed(CheckpointId id, Level level) {
    failed.add(new Place(id.group(), level));
  }

  /** Whether a rank of a group did, of any checkpoint at a level. */
  boolean hasFailed(GroupId group, Level level) {
    return failed.contains(new Place(group, level));
  }

  /**
   * The newest checkpoint that the group must not fall behind in an epoch. A copy at NODE counts if
   * each rank runs where it ran then.
   */
  Optional<CheckpointId> floor(GroupId group, long epoch) {
    Beginning beginning = epochs.getOrDefault(group, new TreeMap<>()).get(epoch);
    if (beginning == null || isReplaced(group, epoch, Level.STORE)) {
      return Optional.empty();
    }
    TreeSet<CheckpointId> safe = new TreeSet<>(beginning.atStore());
    safe.removeIf(id -> isDamaged(id, Level.STORE));
    beginning.atNode().stream()
        .filter(id -> beginning.members().equals(homes.get(id)))
        .filter(id -> !isReplacedByDamaged(id) && !endIsDamaged(group))
        .filter(id -> !isLeftMeanwhile(group, beginning, epoch))
        .filter(id -> !isReplaced(group, epoch, Level.NODE))
        .forEach(safe::add);
    Optional.ofNullable(atPeer.get(group)).ifPresent(safe::add);
    return safe.isEmpty() ? Optional.empty() : Optional.of(safe.last());
  }

  /**
   * Whether a later epoch has sealed at a level, and so may have deleted there what an attempt of
   * this one goes on from. That attempt is over, and its checkpoints count no more.
   */
  private boolean isReplaced(GroupId group, long epoch, Level level) {
    return sealed(group, level).stream().anyMatch(id -> id.epoch() > epoch);
  }

  /**
   * An attempt of an epoch before may not know that it is over, and begin a line of its own. A rank
   * that sees that at another machine follows it, even if it cannot read the newest of it.
   */
  private boolean isLeftMeanwhile(GroupId group, Beginning beginning, long epoch) {
    return nodesServed
        && captured(group).stream()
            .anyMatch(id -> id.epoch() > beginning.newest() && id.epoch() < epoch);
  }

  /** A damaged copy at NODE counts as kept there, so that older ones go; newer ones lean on it. */
  private boolean isReplacedByDamaged(CheckpointId id) {
    NavigableSet<CheckpointId> damagedHere = damagedOf(id.group(), Level.NODE);
    return damagedHere.ceiling(id) != null || (layered && !damagedHere.isEmpty());
  }

  /** Copies at NODE go once a training has ended with its last checkpoint at STORE. */
  private boolean endIsDamaged(GroupId group) {
    return ended.contains(group) && isDamaged(group, Level.STORE);
  }

  /**
   * The newest epoch in which a rank captured anything. It may have begun where the copies of
   * earlier ones at NODE were out of reach, and left their line.
   */
  private long newestCaptured(GroupId group) {
    NavigableSet<CheckpointId> known = captured(group);
    return known.isEmpty() ? 0 : known.last().epoch();
  }

  /** A rank restored a checkpoint, or none. */
  void restored(GroupId group, long epoch, int rank, Optional<CheckpointId> found, long state) {
    floor(group, epoch)
        .ifPresent(
            least ->
                require(
                    found.filter(id -> id.compareTo(least) >= 0).isPresent(),
                    String.format(
                        Locale.ROOT,
                        "%s rank %d resumes from %s, although %s was sealed and its copies"
                            + " survived",
                        group.group(),
                        rank,
                        found.map(CheckpointId::label).orElse("nothing"),
                        least.label())));
    found.ifPresent(
        id -> {
          Part part = new Part(id, rank);
          Set<Long> captured = new HashSet<>(statesWithoutClaim.getOrDefault(part, Set.of()));
          Optional.ofNullable(states.get(part)).ifPresent(captured::add);
          require(!captured.isEmpty(), id.label() + " is restored, and nobody captured it");
          require(
              captured.contains(state),
              id.label() + " of rank " + rank + " is restored with other bits");
        });
  }

  static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new ViolationException(otherwise);
    }
  }
}
