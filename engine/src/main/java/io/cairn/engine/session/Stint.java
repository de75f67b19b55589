package io.cairn.engine.session;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.Level;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.session.Outcome;
import io.cairn.engine.coordination.Membership;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A rank's time in one epoch: captures that land late belong to the one they began in. Says for the
 * rank what will not come of a checkpoint; what it holds is said by who holds it. Thread-safe.
 *
 * @param base where the group went on from; null until it agreed
 */
record Stint(
    int rank, Membership membership, Tickets tickets, CoordinatorMessage.@Nullable Resume base) {
  private static final Logger LOG = LoggerFactory.getLogger(Stint.class);

  Stint from(CoordinatorMessage.Resume agreed) {
    return new Stint(rank, membership, tickets, agreed);
  }

  CoordinatorMessage.Resume agreed() {
    CoordinatorMessage.Resume known = base;
    if (known == null) {
      throw new IllegalStateException("captured before the group agreed where to go on from");
    }
    return known;
  }

  /** Ends a capture, which the caller claimed, that broke off; for the whole group. */
  void failed(Ticket ticket, Exception cause) {
    LOG.warn("{} was not captured: {}", ticket.id(), cause.toString());
    tickets.capture(ticket, new Outcome.Failed(cause.toString()));
    giveUpWhereDue(ticket, true, "capture failed: " + cause);
  }

  /** Leaves out a checkpoint whose capture the caller claimed, for the whole group. */
  void skip(Ticket ticket, String reason) {
    tickets.capture(ticket, new Outcome.Skipped(reason));
    giveUpWhereDue(ticket, false, reason);
  }

  private void giveUpWhereDue(Ticket ticket, boolean failed, String reason) {
    for (Level level : Level.values()) {
      if (ticket.due(level)) {
        giveUp(ticket.id(), level, failed, reason);
      }
    }
  }

  /** A checkpoint was captured but does not stay at DEVICE; it may come to other levels. */
  void giveUpAtDevice(CheckpointId id, String reason) {
    giveUp(id, Level.DEVICE, true, reason);
  }

  private void giveUp(CheckpointId id, Level level, boolean failed, String reason) {
    membership.send(
        new MemberMessage.GaveUp(rank, id.epoch(), id.iteration(), level, failed, reason));
  }
}
