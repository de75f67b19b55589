package io.cairn.engine.session;

import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.Pin;
import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.Level;
import io.cairn.core.model.Member;
import io.cairn.core.model.RegionImage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.session.Outcome;
import io.cairn.core.session.Region;
import io.cairn.engine.events.CairnEvent;
import io.cairn.engine.promotion.Promotion;
import io.cairn.engine.promotion.Timing;
import io.cairn.engine.sharing.borrower.LentPart;
import io.cairn.engine.sharing.borrower.Loans;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What becomes of one rank's captures when the device has copied them: they are completed, told to
 * the coordinator, and sent down to the levels that they are due at; the newest are remembered, to
 * be sent down before their time. Copies nothing itself. Captures land one after the other, on the
 * training thread or on the completer; a rescue may come from any thread meanwhile.
 */
final class Arrivals {
  private static final Logger LOG = LoggerFactory.getLogger(Arrivals.class);

  /** A coupled group's checkpoint may be sealed at DEVICE when the next ones are captured. */
  private static final int KNOWN = 16;

  private final SessionContext context;
  private final Member member;
  private final FreshnessAlarm freshness;

  /** The newest captures, the newest first. */
  private final Deque<Landed> newest = new ArrayDeque<>();

  private record Landed(Stint stint, Ticket ticket, CachedCheckpoint slots, Loans loans) {}

  Arrivals(SessionContext context, Member member) {
    this.context = context;
    this.member = member;
    this.freshness = new FreshnessAlarm(member);
  }

  /** Takes a region in that was protected. */
  void watch(Region region) {
    if (!(region instanceof Region.Blob)) {
      freshness.watch(region.name());
    }
  }

  /** The regions were written by a restore. */
  void restored() {
    freshness.reset();
  }

  /**
   * Ends a capture, on the training thread or, for a device that copies later, on the completer.
   */
  void land(InFlight flight) {
    Optional<Pin> pin = Optional.empty();
    try {
      List<RegionImage> images = flight.capture().await();
      if (freshness.check(flight.id(), images)) {
        context.observers().publish(new CairnEvent.Stale(flight.id(), member));
      }
      pin = flight.slots().pin();
      flight.slots().complete(images, flight.stint().agreed().ancestry());
      landed(flight);
    } catch (IOException | RuntimeException e) {
      flight.slots().discard();
      flight.stint().failed(flight.ticket(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      flight.slots().discard();
      flight.stint().failed(flight.ticket(), e);
    } finally {
      pin.ifPresent(Pin::close);
    }
  }

  private void landed(InFlight flight) {
    Stint then = flight.stint();
    context
        .observers()
        .publish(
            new CairnEvent.Captured(
                flight.id(), member, flight.bytes(), flight.timing().blockedNanos()));
    then.tickets().capture(flight.ticket(), new Outcome.Captured(flight.bytes()));
    holdAtDevice(flight);
    Landed landed = new Landed(then, flight.ticket(), flight.slots(), flight.loans());
    synchronized (newest) {
      newest.addFirst(landed);
      if (newest.size() > KNOWN) {
        newest.removeLast();
      }
    }
    if (flight.ticket().due(Level.NODE)) {
      boolean toStore = flight.ticket().due(Level.STORE);
      Predicate<Level> settled = level -> flight.ticket().outcome(level).isPresent();
      context.promotion().promote(work(landed, toStore, flight.timing(), settled));
      mayGiveWayAtLenders(landed);
    }
  }

  /**
   * Lenders give away first what has a copy below. Only what the whole group has at NODE is such:
   * if another rank's copy fails there, this rank's is of no use.
   */
  private static void mayGiveWayAtLenders(Landed landed) {
    var unused =
        landed
            .ticket()
            .sealed(Level.NODE)
            .thenAccept(
                outcome -> {
                  if (outcome instanceof Outcome.Sealed) {
                    landed.loans().parts().forEach(LentPart::flushed);
                  }
                });
  }

  /** At DEVICE it is when every lender has verified its part; until then nothing may give way. */
  private void holdAtDevice(InFlight flight) {
    CheckpointId id = flight.id();
    MemberMessage held =
        new MemberMessage.Held(
            member.rank(),
            id.epoch(),
            id.iteration(),
            Level.DEVICE,
            Optional.empty(),
            flight.timing().heldAt(Level.DEVICE));
    if (flight.loans().chunks() == 0) {
      flight.stint().membership().send(held);
      return;
    }
    Optional<Pin> pin = flight.slots().pin();
    flight
        .loans()
        .announce()
        .whenComplete(
            (all, failure) -> {
              if (failure == null) {
                flight.stint().membership().send(held);
              } else {
                LOG.warn("{} does not stay at DEVICE: {}", id, failure.toString());
                flight.slots().discard();
                flight.stint().giveUpAtDevice(id, "a lender does not hold its part: " + failure);
              }
              pin.ifPresent(Pin::close);
            });
  }

  private Promotion.Work work(
      Landed landed, boolean toStore, Timing timing, Predicate<Level> settled) {
    Stint then = landed.stint();
    return new Promotion.Work(
        member,
        landed.ticket().id(),
        landed.slots(),
        landed.loans(),
        then.agreed().parent(),
        then.agreed().ancestry(),
        toStore,
        timing,
        settled,
        then.membership()::send,
        then.membership()::fence);
  }

  /**
   * Sends a captured checkpoint on to every level that it was not due at. Called by the
   * coordination's thread; does nothing if the checkpoint is not known any more.
   */
  void rescue(CheckpointId id) {
    Optional<Landed> known;
    synchronized (newest) {
      known = newest.stream().filter(landed -> landed.ticket().id().equals(id)).findFirst();
    }
    known.filter(landed -> !landed.ticket().due(Level.STORE)).ifPresent(this::rescue);
  }

  private void rescue(Landed landed) {
    LOG.info("{} is sent to STORE before its time", landed.ticket().id());
    Tickets tickets = landed.stint().tickets();
    long iteration = landed.ticket().id().iteration();
    Promotion.Work work = work(landed, true, Timing.UNMEASURED, level -> false);
    tickets.rescue(iteration, Level.STORE);
    if (landed.ticket().due(Level.NODE)) {
      context.promotion().promoteToStore(work);
    } else {
      tickets.rescue(iteration, Level.NODE);
      context.promotion().promote(work);
    }
  }
}
