package io.cairn.engine.nodes;

import io.cairn.GroupId;
import io.cairn.Member;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The ranks that this process joined to groups, in the newest epoch of each. Within one epoch a
 * rank is at one process, so what is known of an epoch never changes. Thread-safe.
 */
final class JoinedRanks {
  private final Map<GroupId, Joined> groups = new ConcurrentHashMap<>();

  private record Joined(long epoch, List<Integer> ranks) {
    Joined with(int rank) {
      TreeSet<Integer> all = new TreeSet<>(ranks);
      all.add(rank);
      return new Joined(epoch, List.copyOf(all));
    }
  }

  /** A rank joined in an epoch; an older epoch than the newest is ignored. */
  void joined(Member member, long epoch) {
    groups.compute(
        member.group(),
        (group, known) -> {
          Joined newest =
              known == null || known.epoch() < epoch ? new Joined(epoch, List.of()) : known;
          return newest.epoch() == epoch ? newest.with(member.rank()) : newest;
        });
  }

  /** The ranks of a group in an epoch, rising; none if another epoch is the newest. */
  List<Integer> of(GroupId group, long epoch) {
    Joined known = groups.get(group);
    return known == null || known.epoch() != epoch ? List.of() : known.ranks();
  }

  /** Whether a rank joined a later epoch here, so that nobody waits for this one any more. */
  boolean isOver(GroupId group, long epoch) {
    Joined known = groups.get(group);
    return known != null && known.epoch() > epoch;
  }

  /** Forgets a group that has no rank here any more. */
  void forget(GroupId group) {
    groups.remove(group);
  }
}
