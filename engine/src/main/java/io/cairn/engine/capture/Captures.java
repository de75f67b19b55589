package io.cairn.engine.capture;

import io.cairn.cache.capture.Capture;
import io.cairn.cache.capture.ProtectedRegions;
import io.cairn.cache.capture.Snapshot;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.Pin;
import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.Level;
import io.cairn.core.model.Member;
import io.cairn.core.model.RegionImage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.session.Outcome;
import io.cairn.core.session.Region;
import io.cairn.engine.promotion.Promotion;
import io.cairn.engine.promotion.Timing;
import io.cairn.engine.sharing.Loans;
import io.cairn.engine.sharing.Sharing;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies one rank's regions into the device cache and sends them on their way. The training thread
 * owns it; a capture on a device that copies later ends on the completer.
 */
final class Captures {
  private static final Logger LOG = LoggerFactory.getLogger(Captures.class);

  /** A coupled group's checkpoint may be sealed at DEVICE when the next ones are captured. */
  private static final int LANDINGS_KNOWN = 16;

  private final SessionContext context;
  private final Member member;
  private final ProtectedRegions regions;
  private final FreshnessAlarm freshness;
  private @Nullable Ticket lastCopied;
  private boolean borrowed;

  /** The newest captures, the newest first. */
  private final Deque<Landed> landings = new ArrayDeque<>();

  private record Landed(Stint stint, Ticket ticket, CachedCheckpoint slots, Loans loans) {}

  Captures(SessionContext context, Member member, ProtectedRegions regions) {
    this.context = context;
    this.member = member;
    this.regions = regions;
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
          skip(stint, ticket, snapshot);
        } else {
          copy(order, snapshot, room.get(), sharing);
        }
      }
    } catch (RuntimeException e) {
      // a mistake of the caller, such as a blob without bytes: it is told, and nothing stays open
      fail(stint, ticket, e);
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
          fail(order.stint(), order.ticket(), e);
          return;
        }
      }
      if (slots.placed() < slots.chunks()) {
        capture.abandon();
        slots.discard();
        skip(order.stint(), order.ticket(), snapshot);
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
      land(flight);
    } else {
      context.completer().execute(() -> land(flight));
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
    context.counters().withdrawn();
    context.observers().withdrawn(id, member, reason);
    giveUpAtDevice(order.stint(), id, reason);
  }

  private void giveUpAtDevice(Stint stint, CheckpointId id, String reason) {
    stint
        .membership()
        .send(
            new MemberMessage.GaveUp(
                member.rank(), id.epoch(), id.iteration(), Level.DEVICE, true, reason));
  }

  private record InFlight(
      Stint stint,
      Ticket ticket,
      CachedCheckpoint slots,
      Capture capture,
      Loans loans,
      long bytes,
      Timing timing) {
    CheckpointId id() {
      return ticket.id();
    }
  }

  /**
   * Ends a capture, on the training thread or, for a device that copies later, on the completer.
   */
  private void land(InFlight flight) {
    Optional<Pin> pin = Optional.empty();
    try {
      List<RegionImage> images = flight.capture().await();
      if (freshness.check(flight.id(), images)) {
        context.observers().stale(flight.id(), member);
      }
      pin = flight.slots().pin();
      flight.slots().complete(images, flight.stint().agreed().ancestry());
      landed(flight);
    } catch (IOException | RuntimeException e) {
      flight.slots().discard();
      fail(flight.stint(), flight.ticket(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      flight.slots().discard();
      fail(flight.stint(), flight.ticket(), e);
    } finally {
      pin.ifPresent(Pin::close);
    }
  }

  private void landed(InFlight flight) {
    Stint then = flight.stint();
    context.counters().captured(flight.bytes(), flight.timing().blockedNanos());
    then.tickets().capture(flight.ticket(), new Outcome.Captured(flight.bytes()));
    holdAtDevice(flight);
    Landed landed = new Landed(then, flight.ticket(), flight.slots(), flight.loans());
    synchronized (landings) {
      landings.addFirst(landed);
      if (landings.size() > LANDINGS_KNOWN) {
        landings.removeLast();
      }
    }
    if (flight.ticket().due(Level.NODE)) {
      boolean toStore = flight.ticket().due(Level.STORE);
      Predicate<Level> settled = level -> flight.ticket().outcome(level).isPresent();
      context.promotion().promote(work(landed, toStore, flight.timing(), settled));
    }
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
                giveUpAtDevice(flight.stint(), id, "a lender does not hold its part: " + failure);
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
    synchronized (landings) {
      known = landings.stream().filter(landed -> landed.ticket().id().equals(id)).findFirst();
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

  private void fail(Stint then, Ticket ticket, Exception cause) {
    LOG.warn("{} was not captured: {}", ticket.id(), cause.toString());
    then.tickets().capture(ticket, new Outcome.Failed(cause.toString()));
    giveUp(then, ticket, true, "capture failed: " + cause);
  }

  private void skip(Stint stint, Ticket ticket, Snapshot snapshot) {
    String reason =
        "no room: "
            + snapshot.chunks()
            + " chunks ("
            + snapshot.bytes()
            + " bytes) needed, "
            + context.cache().freeSlots()
            + " of "
            + context.cache().slots()
            + " free and the rest in use; raise device.cacheSize";
    skip(stint, ticket, reason);
  }

  /** Leaves out a checkpoint whose capture the caller claimed, for the whole group. */
  void skip(Stint stint, Ticket ticket, String reason) {
    stint.tickets().capture(ticket, new Outcome.Skipped(reason));
    giveUp(stint, ticket, false, reason);
  }

  private void giveUp(Stint then, Ticket ticket, boolean failed, String reason) {
    CheckpointId id = ticket.id();
    for (Level level : Level.values()) {
      if (ticket.due(level)) {
        then.membership()
            .send(
                new MemberMessage.GaveUp(
                    member.rank(), id.epoch(), id.iteration(), level, failed, reason));
      }
    }
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
