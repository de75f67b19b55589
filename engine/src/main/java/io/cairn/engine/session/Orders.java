package io.cairn.engine.session;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.protocol.MemberMessage.GaveUp.Why;
import io.cairn.engine.coordination.Membership;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the coordinator's orders to send captured checkpoints to further levels, and asks for
 * such an order. Thread-safe.
 */
final class Orders {
  private final Member member;
  private final Arrivals arrivals;
  private final Queue<CompletableFuture<@Nullable Void>> asked = new ConcurrentLinkedQueue<>();

  Orders(Member member, Arrivals arrivals) {
    this.member = member;
    this.arrivals = arrivals;
  }

  /**
   * Asks the coordinator to send the group's newest checkpoint to every level.
   *
   * @return completes when it answered, or this rank ended
   */
  CompletableFuture<@Nullable Void> ask(Membership membership, MemberMessage request) {
    CompletableFuture<@Nullable Void> answer = new CompletableFuture<>();
    asked.add(answer);
    membership.send(request);
    return answer;
  }

  /** This rank ended: no answer comes any more. */
  void end() {
    asked.forEach(answer -> answer.complete(null));
  }

  /**
   * Handles a message about checkpoints, on the coordination's thread.
   *
   * @param tickets of the epoch that received it
   * @param current the rank's epoch, once it has entered one
   */
  void receive(CoordinatorMessage message, Tickets tickets, Supplier<EpochSession> current) {
    if (message instanceof CoordinatorMessage.Rescue rescue) {
      rescue(rescue, tickets, current.get());
    } else if (message instanceof CoordinatorMessage.Promote promote) {
      promote(promote, tickets, current.get());
    } else {
      tickets.receive(message);
    }
  }

  private void rescue(CoordinatorMessage.Rescue rescue, Tickets tickets, EpochSession epoch) {
    if (rescue.iteration() >= 0) {
      CheckpointId id = new CheckpointId(member.group(), rescue.epoch(), rescue.iteration());
      if (!arrivals.rescue(id, tickets)) {
        giveUp(id, arrivals.levels(), tickets, epoch);
      }
    }
    end();
  }

  /** Comes after a capture, so this member has agreed where its epoch starts. */
  private void promote(CoordinatorMessage.Promote promote, Tickets tickets, EpochSession epoch) {
    CheckpointId id = new CheckpointId(member.group(), promote.epoch(), promote.iteration());
    boolean current = epoch.membership().epoch() == id.epoch();
    boolean ahead = current && epoch.membership().cadence().order(id.iteration(), promote.levels());
    if (!ahead && !arrivals.promote(id, promote.levels(), tickets)) {
      giveUp(id, promote.levels(), tickets, epoch);
    }
  }

  /** The other ranks would wait for a checkpoint that this one cannot send any more. */
  private static void giveUp(
      CheckpointId id, Set<Level> levels, Tickets tickets, EpochSession epoch) {
    if (epoch.membership().epoch() == id.epoch()) {
      levels.stream()
          .filter(level -> !tickets.isOnTheWay(id, level))
          .forEach(level -> epoch.giveUp(id, level, Why.SKIPPED, "it is not at DEVICE any more"));
    }
  }
}
