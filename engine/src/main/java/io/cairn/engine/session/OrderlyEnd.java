package io.cairn.engine.session;

import io.cairn.Member;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.engine.coordination.Membership;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a rank's part: the group's newest checkpoint goes to every level, and the rank waits for it
 * and for all others on their way. The training ended in order only if its program said so, and the
 * newest checkpoint is of the iteration that it named. Otherwise it stopped there, for whatever
 * reason. The training thread owns it.
 *
 * @param epoch the rank's last epoch
 * @param endNanos when waiting ends
 * @param ended the iteration that the program ended with; empty if it named none
 * @param restored whether the rank restored that iteration, found it at STORE and captured none
 */
record OrderlyEnd(
    SessionContext context,
    Member member,
    EpochSession epoch,
    long endNanos,
    OptionalLong ended,
    boolean restored) {
  private static final Logger LOG = LoggerFactory.getLogger(OrderlyEnd.class);

  /**
   * Tells the coordinator, and waits until the newest checkpoint is settled at every level.
   *
   * @param arrivals of this rank's checkpoints; the last one stays there meanwhile
   * @param orders carries out the coordinator's answer
   * @return whether the training ended in order, and STORE has its last checkpoint for the whole
   *     group
   */
  boolean keep(Arrivals arrivals, Orders orders) {
    arrivals.ending();
    try {
      OptionalLong captured = arrivals.newest(epoch.membership().epoch());
      if (captured.isEmpty() && restored) {
        return keep(ended, MemberMessage.End.RESTORED, orders);
      }
      boolean inOrder = ended.isPresent() && ended.equals(captured);
      return keep(
          captured, inOrder ? MemberMessage.End.CAPTURED : MemberMessage.End.STOPPED, orders);
    } finally {
      arrivals.goesOn();
    }
  }

  /**
   * Likewise.
   *
   * @param last the rank's last iteration; empty if it captured none
   */
  private boolean keep(OptionalLong last, MemberMessage.End end, Orders orders) {
    TrainingPatience patience =
        new TrainingPatience(context.nanoTime(), context.waits(), endNanos, this::pointless);
    boolean inOrder = end != MemberMessage.End.STOPPED;
    boolean told = false;
    // another attempt computes the iterations of a cancelled one again, so they are not its last
    if (last.isPresent() && epoch.base() != null && !cancelled()) {
      Membership now = epoch.membership();
      told =
          patience.await(
              orders.ask(
                  now,
                  new MemberMessage.Ending(member.rank(), now.epoch(), last.getAsLong(), end)));
    }
    boolean all = patience.await(epoch.tickets().all());
    long kept =
        end == MemberMessage.End.RESTORED && told
            ? last.getAsLong()
            : epoch.tickets().newestAtStore();
    if (last.isPresent()) {
      report(last.getAsLong(), inOrder, kept, all);
    }
    return inOrder && kept >= last.getAsLong();
  }

  private void report(long captured, boolean inOrder, long kept, boolean all) {
    if (ended.isPresent() && !inOrder) {
      LOG.warn(
          "{} ended with iteration {}, which was not captured: its newest checkpoint is of"
              + " iteration {}, {}. A restart computes the rest again",
          member,
          ended.getAsLong(),
          captured,
          atStore(kept, captured, all));
    } else if (kept < captured) {
      LOG.warn(
          "{} {} iteration {}; {}",
          member,
          inOrder ? "ended with" : "stopped at",
          captured,
          atStore(kept, captured, all));
    } else if (inOrder) {
      LOG.info("{} ended with iteration {}; its checkpoint is at STORE", member, captured);
    } else {
      LOG.info(
          "{} stopped at iteration {}, whose checkpoint is at STORE; its training has not ended,"
              + " since nobody called end()",
          member,
          captured);
    }
  }

  private String atStore(long kept, long captured, boolean all) {
    if (kept >= captured) {
      return "at STORE";
    }
    String newest = kept < 0 ? "of an earlier epoch" : "of iteration " + kept;
    String rest =
        all
            ? ""
            : String.format(
                Locale.ROOT,
                "; %d are still on their way after %s",
                epoch.tickets().unsettled(),
                context.closeTimeout());
    return "its newest checkpoint at STORE is " + newest + rest;
  }

  /** A cancelled rank does not wait: its group continues without this attempt. */
  private boolean cancelled() {
    try {
      context.interruption().run();
      return false;
    } catch (CancellationException e) {
      LOG.info("{} does not wait for its last checkpoints: {}", member, e.getMessage());
      return true;
    }
  }

  private boolean pointless() {
    // a coordinator that ended seals nothing, and a later one begins a new epoch
    return epoch.membership().fencedBecause() != null
        || epoch.membership().isAbandoned()
        || Thread.currentThread().isInterrupted()
        || cancelled();
  }
}
