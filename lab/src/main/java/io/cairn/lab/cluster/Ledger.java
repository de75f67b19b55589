package io.cairn.lab.cluster;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.GroupId;
import io.cairn.core.model.Level;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The true history, which no process sees, and the invariants that follow from it. Every rank
 * reports here what it was told and what it found.
 */
final class Ledger {
  /** The life of a machine, which ends with its loss. */
  record Home(String machine, int losses) {}

  private record Part(CheckpointId id, int rank) {}

  private final Map<Part, Long> states = new HashMap<>();
  private final Map<Part, Home> homes = new HashMap<>();
  private final Map<Level, Set<CheckpointId>> sealed = new HashMap<>();
  private final Map<GroupId, Set<Long>> epochs = new HashMap<>();

  /** A rank takes part in an epoch. */
  void joined(GroupId group, long epoch, long newestSeen) {
    require(
        epoch > newestSeen,
        group + " begins epoch " + epoch + ", although it had begun " + newestSeen);
    epochs.computeIfAbsent(group, g -> new HashSet<>()).add(epoch);
  }

  /** The greatest epoch that any rank of a group has joined; 0 if none did. */
  long newestEpoch(GroupId group) {
    return epochs.getOrDefault(group, Set.of()).stream().max(Comparator.naturalOrder()).orElse(0L);
  }

  /** A rank begins to capture a state. */
  void captured(CheckpointId id, int rank, long state, Home home) {
    Long before = states.put(new Part(id, rank), state);
    require(
        before == null || before == state,
        id.label() + " of rank " + rank + " is captured twice, with different states");
    homes.put(new Part(id, rank), home);
  }

  /** A rank was told that its group's checkpoint is sealed. */
  void sealed(CheckpointId id, Level level) {
    sealed.computeIfAbsent(level, l -> new HashSet<>()).add(id);
  }

  /**
   * The newest checkpoint that a group which starts now must not fall behind.
   *
   * @param now where each rank of the group runs
   */
  Optional<CheckpointId> floor(GroupId group, List<Home> now) {
    TreeSet<CheckpointId> safe = new TreeSet<>();
    sealed.getOrDefault(Level.STORE, Set.of()).stream()
        .filter(id -> id.group().equals(group))
        .forEach(safe::add);
    sealed.getOrDefault(Level.NODE, Set.of()).stream()
        .filter(id -> id.group().equals(group) && id.epoch() == newestCaptured(group))
        .filter(id -> atHome(id, now))
        .forEach(safe::add);
    return safe.isEmpty() ? Optional.empty() : Optional.of(safe.last());
  }

  /**
   * The newest epoch in which a rank captured anything. It may have begun where the copies of
   * earlier ones at NODE were out of reach, and left their line.
   */
  private long newestCaptured(GroupId group) {
    return states.keySet().stream()
        .map(Part::id)
        .filter(id -> id.group().equals(group))
        .mapToLong(CheckpointId::epoch)
        .max()
        .orElse(0);
  }

  private boolean atHome(CheckpointId id, List<Home> now) {
    List<Home> then = new ArrayList<>();
    for (int rank = 0; rank < now.size(); rank++) {
      Home home = homes.get(new Part(id, rank));
      if (home != null) {
        then.add(home);
      }
    }
    return then.equals(now);
  }

  /** A rank restored a checkpoint, or none. */
  void restored(
      GroupId group,
      int rank,
      Optional<CheckpointId> found,
      long state,
      Optional<CheckpointId> floor) {
    floor.ifPresent(
        least ->
            require(
                found.filter(id -> id.compareTo(least) >= 0).isPresent(),
                "%s rank %d resumes from %s, although %s was sealed and its copies survived"
                    .formatted(
                        group.group(),
                        rank,
                        found.map(CheckpointId::label).orElse("nothing"),
                        least.label())));
    found.ifPresent(
        id -> {
          Long captured = states.get(new Part(id, rank));
          require(captured != null, id.label() + " is restored, and nobody captured it");
          require(
              captured != null && captured == state,
              id.label() + " of rank " + rank + " is restored with other bits");
        });
  }

  static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new ViolationException(otherwise);
    }
  }
}
