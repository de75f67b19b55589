package io.cairn.core.sharing;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Admits requests for leases: none of an older epoch, of one that no group reaches, of a dead
 * process, or answered before. Requests carry rising numbers, so one number per borrower separates
 * new requests from late ones. If a request overtakes an earlier one, the earlier one is refused.
 *
 * <p>Bounded: it remembers the latest groups, borrowers and dead processes, many times as many as
 * one application has at once.
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
  private final Map<Borrower, Answered> borrowers = new LinkedHashMap<>(16, 0.75f, true);
  private final Set<String> dead = new LinkedHashSet<>();

  /** Whether the epoch is later than any seen of the group, and may be one of it. */
  boolean begins(GroupId group, long epoch) {
    boolean later = epoch > epochs.getOrDefault(group, 0L) && !isBeyond(group, epoch);
    if (later) {
      epochs.put(group, epoch);
      trim(epochs.keySet());
    }
    return later;
  }

  /** Whether the group cannot have begun an epoch with this number: somebody made it up. */
  private boolean isBeyond(GroupId group, long epoch) {
    return epoch - epochs.getOrDefault(group, 0L) > CheckpointId.MOST_EPOCHS_AHEAD;
  }

  private boolean isBeyond(LeaseId id) {
    return isBeyond(id.checkpoint().group(), id.checkpoint().epoch());
  }

  boolean isOlder(LeaseId id) {
    return id.checkpoint().epoch() < epochs.getOrDefault(id.checkpoint().group(), 0L);
  }

  void dies(String holder) {
    dead.add(holder);
    trim(dead);
  }

  /** Ends a declaration of death. The numbers of its earlier requests stay answered. */
  void greets(String holder) {
    dead.remove(holder);
  }

  /** The reason why nothing of this borrower and epoch counts any more; empty if it does. */
  Optional<String> fence(LeaseId id) {
    if (dead.contains(id.holder())) {
      return Optional.of("its process is dead");
    }
    if (isBeyond(id)) {
      return Optional.of(
          String.format(
              Locale.ROOT,
              "epoch %d is made up: no group begins so many epochs after %d",
              id.checkpoint().epoch(),
              epochs.getOrDefault(id.checkpoint().group(), 0L)));
    }
    return isOlder(id)
        ? Optional.of(
            String.format(
                Locale.ROOT,
                "epoch %d is over, the group is in epoch %d",
                id.checkpoint().epoch(),
                epochs.get(id.checkpoint().group())))
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

  /** Marks this request as answered; repetitions of it are late. */
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

  /** Marks this checkpoint as withdrawn; it is granted no further lease. */
  void withdraws(LeaseId id) {
    Answered before = answered(id);
    if (id.checkpoint().epoch() >= before.epoch()) {
      put(
          id,
          new Answered(
              before.epoch(),
              before.nonce(),
              before.iteration(),
              Math.max(before.withdrawn(), id.checkpoint().iteration())));
    }
  }

  /** Iterations start again with each epoch; numbers of requests continue. */
  private Answered answered(LeaseId id) {
    Answered last = borrowers.getOrDefault(Borrower.of(id), Answered.NOTHING);
    return last.epoch() < id.checkpoint().epoch()
        ? new Answered(id.checkpoint().epoch(), last.nonce(), -1, -1)
        : last;
  }

  private void put(LeaseId id, Answered answered) {
    if (!isBeyond(id)) {
      borrowers.put(Borrower.of(id), answered);
      trim(borrowers.keySet());
    }
  }

  private static void trim(Set<?> remembered) {
    if (remembered.size() > MOST_REMEMBERED) {
      remembered.remove(remembered.iterator().next());
    }
  }
}
