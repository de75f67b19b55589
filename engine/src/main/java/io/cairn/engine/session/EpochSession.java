package io.cairn.engine.session;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.Outcome;
import io.cairn.RestoreException;
import io.cairn.cache.chunk.CapturedChunks;
import io.cairn.core.cadence.FollowedCadence;
import io.cairn.core.cadence.Measurement;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.LevelSpec;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.protocol.MemberMessage.GaveUp.Why;
import io.cairn.core.protocol.Origin;
import io.cairn.engine.coordination.Membership;
import io.cairn.engine.coordination.StoreWait;
import io.cairn.engine.promotion.Promoted;
import io.cairn.engine.promotion.RankReporter;
import io.cairn.engine.sharing.borrower.Leases;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A rank's part in one epoch. A capture that lands late belongs to the epoch in which it began.
 * Thread-safe.
 *
 * @param base the agreement on where the epoch starts; null until there is one
 */
record EpochSession(
    int rank, Membership membership, Tickets tickets, CoordinatorMessage.@Nullable Resume base) {
  private static final Logger LOG = LoggerFactory.getLogger(EpochSession.class);

  /**
   * Joins the rank's group, waiting until every rank has; on the training thread.
   *
   * @param inbox receives messages about checkpoints, with the tickets of this epoch
   * @throws RestoreException if the store does not show the group in time
   * @throws CancellationException if the rank was cancelled, the thread interrupted, or the process
   *     closes
   */
  static EpochSession enter(
      SessionContext context,
      Member member,
      Attribution attribution,
      BiConsumer<CoordinatorMessage, Tickets> inbox) {
    Tickets tickets = new Tickets(context, member);
    Origin origin = origin(context, member);
    attribution.findSign();
    Membership entered =
        new Membership(
            context.coordination(),
            member,
            origin,
            () -> requireWanted(context, member),
            attribution.waits(),
            context.joinTimeout(),
            context.nanoTime(),
            message -> inbox.accept(message, tickets));
    attribution.joined(entered.epoch());
    return new EpochSession(member.rank(), entered, tickets, null);
  }

  /** Ends the wait for a group whose checkpoints nobody will take. */
  private static void requireWanted(SessionContext context, Member member) {
    context.interruption().run();
    if (context.closing().getAsBoolean()) {
      throw new CancellationException(member + " waited for its group when its process closed");
    }
  }

  /**
   * The birth of the group in this process's store, and the greatest epoch known here. Waits for a
   * store that fails, as long as {@code store.patience} says; not for one that refuses it for good.
   */
  private static Origin origin(SessionContext context, Member member) {
    StoreWait wait = new StoreWait(member.toString(), context.storePatience(), context.nanoTime());
    while (true) {
      try {
        return context
            .promotion()
            .enter(member.group())
            .atLeast(atDevice(context, member))
            .at(context.planners().nodes().own());
      } catch (IOException e) {
        OptionalLong pause = wait.failed(e);
        if (pause.isEmpty()) {
          LOG.error("{} cannot join", member, e);
          throw new RestoreException(member + " cannot join: " + reason(context, e));
        }
        pause(context, member, pause.getAsLong());
      }
    }
  }

  private static String reason(SessionContext context, IOException failure) {
    return StoreWait.isInVain(failure)
        ? "STORE refuses it, and would at each later try: " + failure.getMessage()
        : String.format(
            Locale.ROOT,
            "STORE did not show its group within store.patience (%d s): %s",
            context.storePatience().toSeconds(),
            failure.getMessage());
  }

  private static long atDevice(SessionContext context, Member member) {
    return context.cache().of(member.group(), member.rank()).stream()
        .mapToLong(cached -> cached.id().epoch())
        .max()
        .orElse(0);
  }

  private static void pause(SessionContext context, Member member, long millis) {
    context.interruption().run();
    try {
      context.waits().sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (CancellationException)
          new CancellationException(member + " was interrupted while it waited for STORE")
              .initCause(e);
    }
    context.interruption().run();
  }

  /** The same epoch, after the group agreed where it starts. */
  EpochSession resumeFrom(CoordinatorMessage.Resume agreed) {
    return new EpochSession(rank, membership, tickets, agreed);
  }

  CoordinatorMessage.Resume agreed() {
    CoordinatorMessage.Resume known = base;
    if (known == null) {
      throw new IllegalStateException("captured before the group agreed where to start");
    }
    return known;
  }

  /** Opens a ticket for the levels that are due by the group's cadence. */
  Ticket open(CheckpointId id) {
    return open(id, membership.cadence().reach(id.iteration()), Set.of());
  }

  /**
   * Opens a ticket for DEVICE and these levels, which no cadence decides.
   *
   * @param first the ticket that was taken back; levels below DEVICE that sealed it keep that
   */
  Ticket openAt(CheckpointId id, Set<Level> levels, Optional<Ticket> first) {
    membership.cadence().reach(id.iteration());
    Set<Level> kept = first.map(Ticket::sealedBelowDevice).orElse(Set.of());
    Set<Level> due = EnumSet.of(Level.DEVICE);
    due.addAll(levels);
    due.removeAll(kept);
    Ticket ticket = open(id, new FollowedCadence.Due(due, false), kept);
    first.ifPresent(ticket::replace);
    return ticket;
  }

  /** An iteration that the group gave up is captured once more, under another ticket. */
  void takeBack(Ticket first) {
    tickets.forget(first);
    first.takeBack();
    membership.send(new MemberMessage.Again(rank, first.id().epoch(), first.id().iteration()));
  }

  /**
   * Reports a capture once more that another rank could not make, and this rank holds at DEVICE. An
   * order of the coordinator sends it to STORE again; its copies at levels before are dropped.
   */
  void again(Ticket ticket) {
    CheckpointId id = ticket.id();
    membership.send(new MemberMessage.Again(rank, id.epoch(), id.iteration()));
    membership.send(
        new MemberMessage.Held(
            rank, id.epoch(), id.iteration(), Level.DEVICE, List.of(), Measurement.NONE));
    for (Level level : ticket.dueBelowDevice()) {
      if (!LevelSpec.of(level).isCommitted()) {
        giveUp(id, level, Why.SKIPPED, "the group gave its first copy up");
      }
    }
  }

  /** Settles the levels that are not due or have it, or all if the member is fenced. */
  private Ticket open(CheckpointId id, FollowedCadence.Due due, Set<Level> kept) {
    Ticket ticket = tickets.open(id, due);
    String fenced = membership.fencedBecause();
    if (fenced != null) {
      tickets.fence(fenced);
      return ticket;
    }
    if (!ticket.due(Level.DEVICE) && ticket.claimCapture()) {
      tickets.capture(ticket, new Outcome.NotDue(Level.DEVICE));
    }
    for (Level level : Level.values()) {
      if (kept.contains(level)) {
        tickets.settle(id, level, new Outcome.Sealed(level));
      } else if (!ticket.due(level)) {
        tickets.settle(id, level, new Outcome.NotDue(level));
      }
    }
    return ticket;
  }

  /** A capture on its way to the levels below DEVICE that its ticket is due at. */
  Promoted promoted(
      Member member,
      Ticket ticket,
      CapturedChunks source,
      Leases leases,
      Fingerprint program,
      boolean ending,
      RankReporter reporter) {
    ticket.goesBelow();
    return new Promoted(
        member,
        ticket.id(),
        source,
        leases,
        ticket.facts().addedTo(program),
        ticket.entries(),
        agreed().parent(),
        agreed().ancestry(),
        ticket.dueBelowDevice(),
        ending,
        reporter);
  }

  /** Ends a capture, which the caller claimed, that broke off; for the whole group. */
  void fail(Ticket ticket, Throwable cause) {
    LOG.warn("{} was not captured", ticket.id(), cause);
    tickets.capture(ticket, new Outcome.Failed(cause.toString()));
    abandonLevels(ticket, Why.FAILED, "capture failed: " + cause);
  }

  /** Leaves out a checkpoint whose capture the caller claimed, for the whole group. */
  void skip(Ticket ticket, String reason) {
    tickets.capture(ticket, new Outcome.Skipped(reason));
    abandonLevels(ticket, Why.SKIPPED, reason);
  }

  private void abandonLevels(Ticket ticket, Why why, String reason) {
    for (Level level : Level.values()) {
      if (ticket.due(level)) {
        ticket.report(() -> giveUp(ticket.id(), level, why, reason));
      }
    }
  }

  /** Reports that this rank's data does not reach a level, or is lost there. */
  void giveUp(CheckpointId id, Level level, Why why, String reason) {
    membership.send(new MemberMessage.GaveUp(rank, id.epoch(), id.iteration(), level, why, reason));
  }
}
