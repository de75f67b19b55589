package io.cairn.core.sharing;

import io.cairn.core.model.GroupId;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Admits requests for leases: none of an older epoch, of a dead process, or answered before.
 * Requests carry rising numbers, so that one number per borrower tells new from late ones; of two
 * that overtake each other the earlier is refused.
 *
 * <p>Bounded: of the groups, borrowers and dead processes seen, the latest are remembered, many
 * times those that one application has at once.
 */
final class Admission {
  private static final int MOST_REMEMBERED = 100_000;

  private record Borrower(String holder, GroupId group, int rank) {
    static Borrower of(LeaseId id) {
      return new Borrower(id.holder(), id.checkpoint().group(), id.rank());
    }
  }

  /** The last request of a borrower that was answered, and the last iteration withdrawn. */
  private record Answered(long epoch, long nonce, long iteration, long withdrawn) {
    static final Answered NOTHING = new Answered(0, 0, -1, -1);
  }

  private final Map<GroupId, Long> epochs = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<Borrower, Answered> senders = new LinkedHashMap<>(16, 0.75f, true);
  private final Set<String> dead = new LinkedHashSet<>();

  /** Whether the epoch is later than any seen of the group. */
  boolean begins(GroupId group, long epoch) {
    boolean later = epoch > epochs.getOrDefault(group, 0L);
    if (later) {
      epochs.put(group, epoch);
      trim(epochs.keySet());
    }
    return later;
  }

  boolean isOlder(LeaseId id) {
    return id.checkpoint().epoch() < epochs.getOrDefault(id.checkpoint().group(), 0L);
  }

  void dies(String holder) {
    dead.add(holder);
    trim(dead);
    senders.keySet().removeIf(borrower -> borrower.holder().equals(holder));
  }

  /** The reason why nothing of this borrower and epoch counts any more; empty if it does. */
  Optional<String> fence(LeaseId id) {
    if (dead.contains(id.holder())) {
      return Optional.of("its process is dead");
    }
    return isOlder(id)
        ? Optional.of(
            "epoch %d is over, the group is in epoch %d"
                .formatted(id.checkpoint().epoch(), epochs.get(id.checkpoint().group())))
        : Optional.empty();
  }

  /** The reason to refuse a request without a lease as late; empty if it is new. */
  Optional<String> repetition(LeaseId id) {
    Answered answered = answered(id);
    if (id.nonce() <= answered.nonce()) {
      return Optional.of("this request, or a later one, was answered before");
    }
    if (id.checkpoint().iteration() < answered.iteration()) {
      return Optional.of("a later iteration was requested before");
    }
    return id.checkpoint().iteration() <= answered.withdrawn()
        ? Optional.of("this checkpoint was withdrawn; nothing is captured again under its id")
        : Optional.empty();
  }

  /** From now on this request is late. */
  void answers(LeaseId id) {
    Answered before = answered(id);
    put(
        id,
        new Answered(
            id.checkpoint().epoch(),
            Math.max(before.nonce(), id.nonce()),
            Math.max(before.iteration(), id.checkpoint().iteration()),
            before.withdrawn()));
  }

  /** From now on this checkpoint is granted no lease. */
  void withdraws(LeaseId id) {
    Answered before = answered(id);
    if (!dead.contains(id.holder()) && id.checkpoint().epoch() >= before.epoch()) {
      put(
          id,
          new Answered(
              before.epoch(),
              before.nonce(),
              before.iteration(),
              Math.max(before.withdrawn(), id.checkpoint().iteration())));
    }
  }

  /** Iterations start afresh with each epoch, numbers of requests continue. */
  private Answered answered(LeaseId id) {
    Answered last = senders.getOrDefault(Borrower.of(id), Answered.NOTHING);
    return last.epoch() < id.checkpoint().epoch()
        ? new Answered(id.checkpoint().epoch(), last.nonce(), -1, -1)
        : last;
  }

  private void put(LeaseId id, Answered answered) {
    senders.put(Borrower.of(id), answered);
    trim(senders.keySet());
  }

  private static void trim(Set<?> remembered) {
    if (remembered.size() > MOST_REMEMBERED) {
      remembered.remove(remembered.iterator().next());
    }
  }
}
