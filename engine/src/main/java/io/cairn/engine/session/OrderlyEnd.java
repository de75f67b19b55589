package io.cairn.engine.session;

import io.cairn.core.model.Member;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.engine.coordination.Membership;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a rank's training in order: the group's last checkpoint goes to every level, and the rank
 * waits for it and for all others on their way. The training thread owns it.
 *
 * @param epoch the rank's last epoch
 * @param endNanos when waiting ends
 */
record OrderlyEnd(SessionContext context, Member member, EpochSession epoch, long endNanos) {
  private static final Logger LOG = LoggerFactory.getLogger(OrderlyEnd.class);

  /**
   * Asks the coordinator for the last checkpoint, and waits until it is settled at every level.
   *
   * @param arrivals of this rank's checkpoints; the last one stays there meanwhile
   * @param orders carries out the coordinator's answer
   * @return whether this rank's last checkpoint is at STORE, for the whole group
   */
  boolean keep(Arrivals arrivals, Orders orders) {
    arrivals.ending();
    try {
      return keep(arrivals.newest(epoch.membership().epoch()), orders);
    } finally {
      arrivals.goesOn();
    }
  }

  /** Likewise; {@code captured} is empty if this rank captured none. */
  private boolean keep(OptionalLong captured, Orders orders) {
    Patience patience =
        new Patience(context.nanoTime(), context.waits(), endNanos, this::pointless);
    // another attempt computes the iterations of a cancelled one again, so they are not its last
    if (captured.isPresent() && epoch.base() != null && !cancelled()) {
      Membership now = epoch.membership();
      patience.await(
          orders.ask(
              now, new MemberMessage.Ending(member.rank(), now.epoch(), captured.getAsLong())));
    }
    boolean all = patience.await(epoch.tickets().all());
    return captured.isPresent() && report(captured.getAsLong(), all);
  }

  private boolean report(long captured, boolean all) {
    long kept = epoch.tickets().newestAtStore();
    if (kept >= captured) {
      LOG.info("{} ended; its last checkpoint, of iteration {}, is at STORE", member, kept);
    } else {
      LOG.warn(
          "{} ended at iteration {}, and its newest checkpoint at STORE is {}{}",
          member,
          captured,
          kept < 0 ? "of an earlier epoch" : "of iteration " + kept,
          all
              ? ""
              : String.format(
                  Locale.ROOT,
                  "; %d are still on their way after %s",
                  epoch.tickets().unsettled(),
                  context.closeTimeout()));
    }
    return kept >= captured;
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
