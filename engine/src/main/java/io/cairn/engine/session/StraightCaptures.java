package io.cairn.engine.session;

import io.cairn.CairnEvent;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.Outcome;
import io.cairn.cache.capture.UncachedCheckpoint;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.Pin;
import io.cairn.core.protocol.MemberMessage.GaveUp.Why;
import io.cairn.engine.promotion.Promoted;
import io.cairn.engine.session.Captures.Mode;
import io.cairn.engine.session.Captures.Request;
import io.cairn.engine.session.Ticket.Reporter;
import io.cairn.engine.sharing.borrower.Leases;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Captures checkpoints that have no room at DEVICE: their chunks go from the regions straight to
 * the levels that are due, through one slot of the cache. The training thread waits for the first
 * level that holds the checkpoint, for at most {@code closeTimeout}. The training thread owns it.
 */
final class StraightCaptures {
  private final SessionContext context;
  private final Member member;
  private final Arrivals arrivals;

  /** The last one, whose writer may hang; null before the first. */
  private @Nullable UncachedCheckpoint last;

  StraightCaptures(SessionContext context, Member member, Arrivals arrivals) {
    this.context = context;
    this.member = member;
    this.arrivals = arrivals;
  }

  /**
   * Captures for a ticket that is due below DEVICE; the capture has ended when this returns.
   *
   * @param noRoom why DEVICE has no room
   * @throws java.util.concurrent.CancellationException if the rank is cancelled or interrupted
   *     while it waits; the regions are not read any more then
   */
  void take(Request request, String noRoom) {
    EpochSession epoch = request.epoch();
    Ticket ticket = request.ticket();
    UncachedCheckpoint previous = last;
    if (previous != null && previous.isPinned()) {
      epoch.skip(ticket, noRoom + "; the last write past DEVICE has not ended");
      return;
    }
    Optional<CachedCheckpoint> slot = context.cache().reserve(ticket.id(), member.rank(), 1);
    if (slot.isEmpty()) {
      epoch.skip(ticket, noRoom + "; nor is one slot free, which chunks could pass through");
      return;
    }
    try {
      UncachedCheckpoint source = request.snapshot().inPlace(slot.get());
      last = source;
      epoch.giveUp(ticket.id(), Level.DEVICE, Why.SKIPPED, noRoom);
      send(request, source);
    } catch (IOException e) {
      epoch.fail(ticket, e);
    }
  }

  private void send(Request request, UncachedCheckpoint source) {
    EpochSession epoch = request.epoch();
    Ticket ticket = request.ticket();
    Reporter reporter = request.reporter(context.nanoTime());
    Promoted captured;
    boolean ended;
    try {
      captured =
          epoch.promoted(
              member,
              ticket,
              source,
              Leases.none(),
              request.program(),
              request.mode() == Mode.ENDING,
              reporter);
      arrivals.begun(captured);
      Pin whileOffering = source.pin().orElseThrow();
      try {
        context.promotion().promote(captured);
      } finally {
        whileOffering.close();
      }
      TrainingPatience patience =
          TrainingPatience.of(context, member, epoch.membership(), context.closeTimeout());
      ended = patience.await(source.released());
    } finally {
      source.release();
      if (!reporter.isHeld()) {
        arrivals.forget(ticket.id());
      }
    }
    if (reporter.isHeld()) {
      captured(request, captured);
    } else {
      lost(epoch, ticket, ended, reporter);
    }
  }

  private void captured(Request request, Promoted captured) {
    long blockedNanos = request.timing().get().blockedNanos();
    long bytes = captured.bytes();
    context
        .observers()
        .publish(new CairnEvent.Captured(captured.id(), member, bytes, blockedNanos));
    request.epoch().tickets().capture(request.ticket(), new Outcome.Captured(bytes));
  }

  private void lost(EpochSession epoch, Ticket ticket, boolean ended, Reporter reporter) {
    String fenced = epoch.membership().fencedBecause();
    if (fenced != null) {
      epoch.tickets().capture(ticket, new Outcome.Fenced(fenced));
    } else if (ended) {
      epoch.tickets().capture(ticket, new Outcome.Failed(reporter.reason()));
    } else {
      epoch.fail(
          ticket,
          new IOException(
              "no level below DEVICE took it within closeTimeout, " + context.closeTimeout()));
    }
  }
}
