package io.cairn.engine.session;

import io.cairn.cache.capture.Capture;
import io.cairn.cache.capture.ProtectedRegions;
import io.cairn.cache.capture.Snapshot;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.Member;
import io.cairn.core.session.Outcome;
import io.cairn.engine.events.CairnEvent;
import io.cairn.engine.promotion.Timing;
import io.cairn.engine.sharing.Sharing;
import io.cairn.engine.sharing.borrower.Loans;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies one rank's regions into the device cache, and into borrowed slots where that has no room.
 * What becomes of a copy is {@link Arrivals}'. The training thread owns it; a capture on a device
 * that copies later ends on the completer.
 */
final class Captures {
  private static final Logger LOG = LoggerFactory.getLogger(Captures.class);

  private final SessionContext context;
  private final Member member;
  private final ProtectedRegions regions;
  private final Arrivals arrivals;
  private @Nullable Ticket lastCopied;
  private boolean borrowed;

  Captures(SessionContext context, Member member, ProtectedRegions regions, Arrivals arrivals) {
    this.context = context;
    this.member = member;
    this.regions = regions;
    this.arrivals = arrivals;
  }

  /**
   * Captures for a ticket; ends now, or on the completer when the device has copied.
   *
   * @param begin when the caller's checkpoint began, for what it was blocked
   * @param before the iteration that it follows
   */
  void begin(Stint stint, Ticket ticket, long begin, Pace.Iteration before) {
    try {
      Snapshot snapshot = regions.snapshot();
      Optional<Sharing> sharing = context.sharing().get();
      Order order = new Order(stint, ticket, begin, before);
      if (sharing.isPresent()) {
        CachedCheckpoint home =
            context.cache().reservePart(ticket.id(), member.rank(), snapshot.chunks());
        claimBack(sharing.get(), home);
        copy(order, snapshot, home, sharing);
      } else {
        Optional<CachedCheckpoint> room =
            context.cache().reserve(ticket.id(), member.rank(), snapshot.chunks());
        if (room.isEmpty()) {
          stint.skip(
              ticket,
              noRoom(
                  snapshot,
                  "%d of %d free and the rest in use"
                      .formatted(context.cache().freeSlots(), context.cache().slots())));
        } else {
          copy(order, snapshot, room.get(), sharing);
        }
      }
    } catch (RuntimeException e) {
      // a mistake of the caller, such as a blob without bytes: it is told, and nothing stays open
      stint.failed(ticket, e);
      throw e;
    }
  }

  private record Order(Stint stint, Ticket ticket, long begin, Pace.Iteration before) {
    /** The caller goes on now, or with the copies of a device that copies at once. */
    Timing released() {
      long now = System.nanoTime();
      return new Timing(before.nanos(), before.flushing(), now - begin, now);
    }
  }

  private void copy(
      Order order, Snapshot snapshot, CachedCheckpoint slots, Optional<Sharing> sharing) {
    Capture capture;
    Loans loans = Loans.none();
    try {
      // the desk plans while this rank copies what fits at home
      Optional<Sharing.Asked> asked = sharing.flatMap(with -> ask(with, slots));
      capture = snapshot.copyInto(slots);
      if (asked.isPresent() && slots.placed() < slots.chunks()) {
        borrowed = true;
        try {
          loans = sharing.orElseThrow().place(asked.get(), capture, why -> withdrawn(order, why));
        } catch (RuntimeException e) {
          // what peers do is no mistake of the caller's, who goes on
          capture.abandon();
          slots.discard();
          order.stint().failed(order.ticket(), e);
          return;
        }
      }
      if (slots.placed() < slots.chunks()) {
        String reason = noRoom(snapshot, slots.placed() + " found a place here or at peers");
        capture.abandon();
        slots.discard();
        order.stint().skip(order.ticket(), reason);
        return;
      }
    } catch (RuntimeException e) {
      slots.discard();
      throw e;
    }
    lastCopied = order.ticket();
    InFlight flight =
        new InFlight(
            order.stint(),
            order.ticket(),
            slots,
            capture,
            loans,
            snapshot.bytes(),
            order.released());
    if (capture.isDone()) {
      arrivals.land(flight);
    } else {
      context.completer().execute(() -> arrivals.land(flight));
    }
  }

  /** What others have of this cache is missing at home: the next checkpoint shall find it there. */
  private void claimBack(Sharing sharing, CachedCheckpoint home) {
    int missing = home.chunks() - home.placed();
    int lent = context.cache().lending().lentSlots();
    if (missing > 0 && lent > 0) {
      sharing.takeBack(Math.min(missing, lent));
    }
  }

  /** Every rank of a group that shares reports; otherwise whoever has more than fits at home. */
  private Optional<Sharing.Asked> ask(Sharing sharing, CachedCheckpoint slots) {
    boolean homeless = slots.placed() < slots.chunks();
    return homeless || sharing.isShared(member.group())
        ? Optional.of(sharing.ask(member, slots))
        : Optional.empty();
  }

  private void withdrawn(Order order, String reason) {
    CheckpointId id = order.ticket().id();
    context.observers().publish(new CairnEvent.Withdrawn(id, member, reason));
    order.stint().giveUpAtDevice(id, reason);
  }

  private static String noRoom(Snapshot snapshot, String found) {
    return "no room: %d chunks (%d bytes) needed, %s; raise device.cacheSize"
        .formatted(snapshot.chunks(), snapshot.bytes(), found);
  }

  /** Whether any checkpoint was placed by the desk's plan. */
  boolean borrowed() {
    return borrowed;
  }

  /** Waits until the device has read the regions for the last time: they may be written then. */
  void awaitLast() {
    if (lastCopied != null) {
      lastCopied.captured().join();
    }
  }

  /** The same, within a time. Whoever closes may free the regions next. */
  void awaitLast(Duration patience) {
    if (lastCopied != null) {
      Outcome.Failed late = new Outcome.Failed("still being copied after " + patience);
      Outcome outcome =
          lastCopied
              .captured()
              .completeOnTimeout(late, patience.toNanos(), TimeUnit.NANOSECONDS)
              .join();
      if (outcome.equals(late)) {
        LOG.warn("{}: {}; its memory must not be freed yet", lastCopied.id(), late.reason());
      }
    }
  }
}
