package io.cairn.core.protocol;

import io.cairn.CheckpointId;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Remembers what a group sealed last at NODE, and where. A rank that joins on another machine
 * learns it, so that it waits for a node that is known to have a newer copy than those at hand. Not
 * thread-safe.
 */
final class NodeMemory {
  /*
   * Notes at STORE
   *
   * STORE keeps the memory for a coordinator to come. It needs a note whose checkpoint is newer
   * than all at STORE: then the next restore knows for what to wait. So the first seal after a
   * commit is noted at once. Further notes only sharpen the number of lost iterations. Their pauses
   * double within an epoch, so the last note is at least half as old as the epoch, or LONGEST_PAUSE
   * behind.
   */
  static final long FIRST_PAUSE_NANOS = Duration.ofMillis(250).toNanos();
  static final long LONGEST_PAUSE_NANOS = Duration.ofSeconds(16).toNanos();

  private static final int MOST_NAMED = 3;

  private final int size;
  private Optional<NodeSeal> newest = Optional.empty();

  /** Of the present epoch, by rank; empty if the node of some rank is not known. */
  private List<String> nodes = List.of();

  /** What the ranks of the present epoch were told. */
  private Optional<NodeSeal> told = Optional.empty();

  /** The ranks that go on without the copy that they were told of. */
  private final Set<Integer> without = new TreeSet<>();

  private long resumedNanos;
  private long resumedIteration;
  private long notedIteration;
  private long noteNanos;
  private long pauseNanos;

  NodeMemory(int size) {
    this.size = size;
  }

  /** An earlier coordinator, or one elsewhere, has left this. */
  void remembered(NodeSeal seal) {
    if (newest.filter(known -> known.id().compareTo(seal.id()) >= 0).isEmpty()) {
      newest = Optional.of(seal);
    }
  }

  /**
   * An epoch begins.
   *
   * @param where the nodes by rank, some of which may be empty
   */
  void begins(List<String> where) {
    boolean known = where.size() == size && where.stream().noneMatch(String::isEmpty);
    nodes = known ? where : List.of();
    told = newest;
    without.clear();
    notedIteration = -1;
  }

  /** The newest copy of a rank, when the present epoch began; empty if none is known. */
  Optional<NodeSeal.Copy> copy(int rank) {
    return told.flatMap(seal -> seal.copy(rank, size));
  }

  /** A rank has made its offer: with the copy that it was told of, or without it. */
  void offered(MemberMessage.Offer offer) {
    if (offer.outOfReach()) {
      without.add(offer.rank());
    }
  }

  /** The group resumes; the work that it loses, for people, if a node is out of reach. */
  Optional<String> resumed(CoordinatorMessage.Resume resume, long nowNanos) {
    resumedNanos = nowNanos;
    resumedIteration = resume.id().map(CheckpointId::iteration).orElse(-1L);
    noteNanos = nowNanos;
    pauseNanos = FIRST_PAUSE_NANOS;
    return told.filter(seal -> !without.isEmpty() && isNewer(seal, resume)).map(this::loss);
  }

  private static boolean isNewer(NodeSeal seal, CoordinatorMessage.Resume resume) {
    return resume.id().filter(id -> id.compareTo(seal.id()) >= 0).isEmpty();
  }

  private String loss(NodeSeal seal) {
    List<String> where =
        without.stream().map(rank -> seal.nodes().get(rank)).distinct().sorted().toList();
    String more = where.size() > MOST_NAMED ? " and " + (where.size() - MOST_NAMED) + " more" : "";
    long again = seal.id().iteration() - resumedIteration;
    return String.format(
        Locale.ROOT,
        "%s at %s%s is out of reach; %s done again",
        seal.id().label(),
        where.stream().limit(MOST_NAMED).collect(Collectors.joining(", ")),
        more,
        again > 0 ? again + (again == 1 ? " iteration is" : " iterations are") : "its work is");
  }

  /**
   * The group has sealed a checkpoint at NODE.
   *
   * @param atStore the iteration of this epoch that STORE has; -1 if it has none
   * @return what is to be noted at STORE now; empty if nothing is
   */
  Optional<NodeSeal> sealed(CheckpointId id, long atStore, long nowNanos) {
    if (nodes.isEmpty() || newest.filter(known -> known.id().compareTo(id) >= 0).isPresent()) {
      return Optional.empty();
    }
    long iterations = Math.max(1, id.iteration() - resumedIteration);
    NodeSeal seal = new NodeSeal(id, nodes, Math.max(0, nowNanos - resumedNanos) / iterations);
    newest = Optional.of(seal);
    boolean behind = notedIteration <= atStore;
    if (!behind && nowNanos < noteNanos) {
      return Optional.empty();
    }
    notedIteration = id.iteration();
    noteNanos = nowNanos + pauseNanos;
    pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
    return newest;
  }
}
