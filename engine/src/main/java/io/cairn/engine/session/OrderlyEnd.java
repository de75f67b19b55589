package io.cairn.engine.session;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.Member;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.engine.coordination.Membership;
import java.util.Locale;
import java.util.Optional;
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
 */
record OrderlyEnd(
    SessionContext context, Member member, EpochSession epoch, long endNanos, OptionalLong ended) {
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
      return captured.isPresent() ? keep(captured, -1, orders) : keepRestored(orders);
    } finally {
      arrivals.goesOn();
    }
  }

  private boolean keepRestored(Orders orders) {
    OptionalLong last = restored();
    return keep(last, last.orElse(-1), orders);
  }

  /** The iteration that the rank restored, if its training ended with that one, of STORE. */
  private OptionalLong restored() {
    CoordinatorMessage.Resume from = epoch.base();
    Optional<CheckpointId> base = from == null ? Optional.empty() : from.id();
    return ended.isPresent() && base.filter(id -> id.iteration() == ended.getAsLong()).isPresent()
        ? ended
        : OptionalLong.empty();
  }

  /**
   * Likewise.
   *
   * @param captured the rank's last iteration; empty if it captured none
   * @param restored that iteration, if STORE had it before this epoch; otherwise -1
   */
  private boolean keep(OptionalLong captured, long restored, Orders orders) {
    Patience patience =
        new Patience(context.nanoTime(), context.waits(), endNanos, this::pointless);
    boolean inOrder = ended.isPresent() && ended.equals(captured);
    // another attempt computes the iterations of a cancelled one again, so they are not its last
    if (captured.isPresent() && epoch.base() != null && !cancelled()) {
      Membership now = epoch.membership();
      patience.await(
          orders.ask(
              now,
              new MemberMessage.Ending(member.rank(), now.epoch(), captured.getAsLong(), inOrder)));
    }
    boolean all = patience.await(epoch.tickets().all());
    long kept = Math.max(restored, epoch.tickets().newestAtStore());
    if (captured.isPresent()) {
      report(captured.getAsLong(), inOrder, kept, all);
    }
    return inOrder && kept >= captured.getAsLong();
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
