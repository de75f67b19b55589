package io.cairn.engine.session;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.core.cadence.Measurement;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.protocol.MemberMessage.GaveUp.Why;
import io.cairn.engine.promotion.RankReporter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Reports the outcomes of one ticket's checkpoint to the coordinator of its epoch.
 *
 * @param nanoTime the clock that {@code timing} was taken by
 */
record TicketReporter(EpochSession epoch, Ticket ticket, Timing timing, LongSupplier nanoTime)
    implements RankReporter {
  @Override
  public void held(Level level, List<ContainerSummary> containers) {
    CheckpointId id = ticket.id();
    if (!containers.isEmpty()) {
      ticket.written(containers);
    }
    epoch
        .membership()
        .send(
            new MemberMessage.Held(
                epoch.rank(), id.epoch(), id.iteration(), level, containers, measured(level)));
  }

  /** A rescue comes at a time of its own, so it proves nothing of a level's latency. */
  private Measurement measured(Level level) {
    return epoch.tickets().isRescued(ticket.id(), level)
        ? Measurement.NONE
        : timing.heldAt(level, nanoTime.getAsLong());
  }

  @Override
  public void gaveUp(Level level, Why why, String reason) {
    if (why == Why.FAILED) {
      ticket.fail(level, reason);
    } else {
      ticket.leaveOut(level);
    }
    epoch.giveUp(ticket.id(), level, why, reason);
  }

  @Override
  public boolean leftOut(Level level) {
    ticket.leaveOut(level);
    // of this and a concurrent again() exactly one claims it
    return epoch.tickets().isRescued(ticket.id(), level) && ticket.claimLeftOut(level);
  }

  @Override
  public void makeLast() {
    ticket.makeLast();
  }

  @Override
  public boolean isLast() {
    return ticket.isLast();
  }

  @Override
  public boolean again(Level level) {
    ticket.makeLast();
    if (!groupGaveUp(level)) {
      return false;
    }
    epoch.tickets().rescue(ticket.id(), Set.of(level));
    boolean leftOut = ticket.claimLeftOut(level);
    if (!leftOut) {
      List<ContainerSummary> written = ticket.written();
      if (!written.isEmpty()) {
        held(level, written);
      }
      ticket
          .failure(level)
          .ifPresent(reason -> epoch.giveUp(ticket.id(), level, Why.FAILED, reason));
    }
    return leftOut;
  }

  /** Whether it was due there or sent there later: the ticket has the outcome of the former. */
  private boolean groupGaveUp(Level level) {
    return epoch.tickets().isRescuedInVain(ticket.id(), level)
        || ticket
            .outcome(level)
            .filter(it -> it instanceof Outcome.Skipped || it instanceof Outcome.Failed)
            .isPresent();
  }

  @Override
  public Optional<String> unclaimed() {
    return epoch.membership().standing().claimed()
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "STORE has not taken the claim of epoch %d yet, so nothing of it goes below DEVICE:"
                    + " free some space there, or mount it writable",
                ticket.id().epoch()));
  }

  @Override
  public void fenced(String reason) {
    epoch.membership().fence(reason);
  }

  @Override
  public boolean isSettled(Level level) {
    return !epoch.tickets().isRescued(ticket.id(), level) && ticket.outcome(level).isPresent();
  }

  @Override
  public boolean isGivenUp(Level level) {
    return isSettled(level) && !epoch.tickets().isAbandoned();
  }
}
