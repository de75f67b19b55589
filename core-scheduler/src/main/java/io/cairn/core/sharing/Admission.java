package io.cairn.core.sharing;

import io.cairn.core.model.GroupId;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Who may claim: no older epoch, no dead process, and no claim that was answered before. Claims
 * carry rising numbers, so that one number per sender tells the new from the late; of two that
 * overtake each other the earlier is refused.
 *
 * <p>Bounded: of the groups, senders and dead processes seen, the latest are remembered, many times
 * those that one application has at once.
 */
final class Admission {
  private static final int MOST_REMEMBERED = 100_000;

  private record Sender(String holder, GroupId group, int rank) {
    static Sender of(LeaseId id) {
      return new Sender(id.holder(), id.checkpoint().group(), id.rank());
    }
  }

  /** What a sender's claims were answered up to, and the last iteration that it may not repeat. */
  private record Answered(long epoch, long nonce, long iteration, long withdrawn) {
    static final Answered NOTHING = new Answered(0, 0, -1, -1);
  }

  private final Map<GroupId, Long> epochs = new LinkedHashMap<>(16, 0.75f, true);
  private final Map<Sender, Answered> senders = new LinkedHashMap<>(16, 0.75f, true);
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
    senders.keySet().removeIf(sender -> sender.holder().equals(holder));
  }

  /** Why nothing of this sender and epoch counts any more; empty if it does. */
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

  /** Why a claim that has no lease is none of the next ones; empty if it is. */
  Optional<String> repetition(LeaseId id) {
    Answered answered = answered(id);
    if (id.nonce() <= answered.nonce()) {
      return Optional.of("this claim, or a later one, was answered before");
    }
    if (id.checkpoint().iteration() < answered.iteration()) {
      return Optional.of("a later iteration was claimed before");
    }
    return id.checkpoint().iteration() <= answered.withdrawn()
        ? Optional.of("this checkpoint was withdrawn; nothing is captured again under its id")
        : Optional.empty();
  }

  /** From now on this claim is late. */
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

  /** From now on this checkpoint is not claimed again. */
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

  /** Iterations start afresh with each epoch, numbers of claims go on. */
  private Answered answered(LeaseId id) {
    Answered last = senders.getOrDefault(Sender.of(id), Answered.NOTHING);
    return last.epoch() < id.checkpoint().epoch()
        ? new Answered(id.checkpoint().epoch(), last.nonce(), -1, -1)
        : last;
  }

  private void put(LeaseId id, Answered answered) {
    senders.put(Sender.of(id), answered);
    trim(senders.keySet());
  }

  private static void trim(Set<?> remembered) {
    if (remembered.size() > MOST_REMEMBERED) {
      remembered.remove(remembered.iterator().next());
    }
  }
}
