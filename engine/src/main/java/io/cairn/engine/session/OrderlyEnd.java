package io.cairn.engine.session;

import io.cairn.core.model.Member;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.engine.coordination.Membership;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a rank's training in order: the group's last checkpoint goes to every level, and the rank
 * waits for it and for all others on their way. The training thread owns it.
 *
 * @param epoch the rank's last epoch
 * @param giveUp whether waiting is pointless, since the rank was cancelled
 * @param endNanos when waiting ends
 */
record OrderlyEnd(
    SessionContext context,
    Member member,
    EpochSession epoch,
    BooleanSupplier giveUp,
    long endNanos) {
  private static final Logger LOG = LoggerFactory.getLogger(OrderlyEnd.class);
  private static final long SLICE_MILLIS = 100;

  /**
   * Asks the coordinator for the last checkpoint, and waits until it is settled at every level.
   *
   * @param captured the iteration that this rank captured last; empty if it captured none
   * @param orders carries out the coordinator's answer
   */
  void keep(OptionalLong captured, Orders orders) {
    // another attempt computes the iterations of a cancelled one again, so they are not its last
    if (captured.isPresent() && epoch.base() != null && !giveUp.getAsBoolean()) {
      Membership now = epoch.membership();
      await(
          orders.ask(
              now, new MemberMessage.Ending(member.rank(), now.epoch(), captured.getAsLong())));
    }
    boolean all = await(epoch.tickets().all());
    captured.ifPresent(iteration -> report(iteration, all));
  }

  private void report(long captured, boolean all) {
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
              : "; %d are still on their way after %s"
                  .formatted(epoch.tickets().unsettled(), context.closeTimeout()));
    }
  }

  /** Waits until it is done, time is up or the rank is fenced, cancelled or interrupted. */
  private boolean await(CompletableFuture<?> awaited) {
    while (!awaited.isDone()
        && epoch.membership().fencedBecause() == null
        && !giveUp.getAsBoolean()
        && !Thread.currentThread().isInterrupted()
        && context.nanoTime().getAsLong() < endNanos) {
      awaitSlice(awaited);
    }
    return awaited.isDone();
  }

  private static void awaitSlice(CompletableFuture<?> awaited) {
    try {
      awaited.get(SLICE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      LOG.trace("still waiting", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("no ticket or answer completes exceptionally", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
