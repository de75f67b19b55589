package io.cairn.engine.session;

import io.cairn.cache.capture.Capture;
import io.cairn.cache.capture.ProtectedRegions;
import io.cairn.cache.capture.Snapshot;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.core.model.Level;
import io.cairn.core.model.Member;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.session.Outcome;
import io.cairn.core.session.RestoreException;
import io.cairn.engine.promotion.Promoted;
import io.cairn.engine.sharing.Sharing;
import io.cairn.engine.sharing.borrower.Leases;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies one rank's regions into the device cache, and the remainder into slots of lenders. {@link
 * Arrivals} completes them. The training thread owns it; a capture on a device that copies later
 * ends on the completer.
 */
final class Captures {
  private static final Logger LOG = LoggerFactory.getLogger(Captures.class);

  private final SessionContext context;
  private final Member member;
  private final ProtectedRegions regions;
  private final Arrivals arrivals;
  private @Nullable Ticket lastCopied;
  private boolean hasLeased;

  Captures(SessionContext context, Member member, ProtectedRegions regions, Arrivals arrivals) {
    this.context = context;
    this.member = member;
    this.regions = regions;
    this.arrivals = arrivals;
  }

  /**
   * Captures for a ticket; ends now, or on the completer when the device has copied.
   *
   * @param before the iteration that it follows
   * @param ending whether it is the training's last, as far as is known
   */
  void begin(EpochSession epoch, Ticket ticket, IterationTimer.Iteration before, boolean ending) {
    try {
      Snapshot snapshot = regions.snapshot();
      Duration wait = ending ? context.closeTimeout() : context.captureWait();
      Optional<CachedCheckpoint> slots = reserve(epoch, ticket, snapshot, wait);
      if (slots.isEmpty()) {
        epoch.skip(ticket, noRoom(snapshot));
      } else {
        Optional<Begun> begun = copy(epoch, ticket, snapshot, slots.get());
        // the caller continues now, or with the copies of a device that copies at once
        Timing timing = before.releasedAt(context.nanoTime().getAsLong());
        begun.ifPresent(
            of -> land(of, new TicketReporter(epoch, ticket, timing, context.nanoTime()), ending));
      }
    } catch (RuntimeException e) {
      // a mistake of the caller, such as a blob without bytes: it is thrown, and nothing stays open
      epoch.fail(ticket, e);
      throw e;
    }
  }

  /** All slots, or, where the rest may come from lenders, as many as there are. */
  private Optional<CachedCheckpoint> reserve(
      EpochSession epoch, Ticket ticket, Snapshot snapshot, Duration wait) {
    Optional<CachedCheckpoint> whole = reserveAll(epoch, ticket, snapshot.chunks(), wait);
    Optional<Sharing> sharing = context.sharing().get();
    if (whole.isPresent() || sharing.isEmpty()) {
      return whole;
    }
    CachedCheckpoint home =
        context.cache().reservePart(ticket.id(), member.rank(), snapshot.chunks());
    claimBack(sharing.get(), home);
    return Optional.of(home);
  }

  /** Waits while the cache could hold the checkpoint, and others occupy it. */
  private Optional<CachedCheckpoint> reserveAll(
      EpochSession epoch, Ticket ticket, int chunks, Duration wait) {
    Optional<CachedCheckpoint> all = context.cache().reserve(ticket.id(), member.rank(), chunks);
    if (all.isEmpty() && !wait.isZero() && !room(chunks).isTooSmall()) {
      Patience patience = Patience.of(context, member, epoch.membership(), wait);
      boolean changed = true;
      while (all.isEmpty() && changed) {
        CompletableFuture<?> room = context.cache().nextRoom();
        all = context.cache().reserve(ticket.id(), member.rank(), chunks);
        changed = all.isPresent() || patience.await(room);
      }
    }
    return all;
  }

  private record Begun(CachedCheckpoint slots, Capture capture, Leases leases) {}

  /** Begins to copy; empty if there is no place for all chunks, which is reported. */
  private Optional<Begun> copy(
      EpochSession epoch, Ticket ticket, Snapshot snapshot, CachedCheckpoint slots) {
    try {
      // the desk plans while this rank copies what fits at home
      Optional<Sharing> sharing = context.sharing().get();
      Optional<Sharing.Asked> asked = sharing.flatMap(with -> ask(with, slots));
      Capture capture = snapshot.copyInto(slots);
      Leases leases = Leases.none();
      if (asked.isPresent() && slots.placed() < slots.chunks()) {
        hasLeased = true;
        try {
          leases =
              sharing
                  .orElseThrow()
                  .place(asked.get(), capture, why -> arrivals.withdrawn(epoch, ticket.id(), why));
        } catch (RuntimeException e) {
          // a failure of a peer is no mistake of the caller, which continues
          capture.abandon();
          slots.discard();
          epoch.fail(ticket, e);
          return Optional.empty();
        }
      }
      if (slots.placed() < slots.chunks()) {
        String reason = slots.placed() + " chunks found a place; " + noRoom(snapshot);
        capture.abandon();
        slots.discard();
        epoch.skip(ticket, reason);
        return Optional.empty();
      }
      return Optional.of(new Begun(slots, capture, leases));
    } catch (RuntimeException e) {
      slots.discard();
      throw e;
    }
  }

  private void land(Begun begun, TicketReporter reporter, boolean ending) {
    lastCopied = reporter.ticket();
    Set<Level> due = Level.where(level -> level != Level.DEVICE && reporter.ticket().due(level));
    CoordinatorMessage.Resume base = reporter.epoch().agreed();
    Promoted captured =
        new Promoted(
            member,
            reporter.ticket().id(),
            begun.slots(),
            begun.leases(),
            regions.program(),
            base.parent(),
            base.ancestry(),
            due,
            ending,
            reporter);
    if (begun.capture().isDone()) {
      arrivals.land(begun.capture(), reporter, captured);
    } else {
      context.completer().execute(() -> arrivals.land(begun.capture(), reporter, captured));
    }
  }

  /** Calls leased slots back that are missing at home: the next checkpoint finds them there. */
  private void claimBack(Sharing sharing, CachedCheckpoint home) {
    int missing = home.chunks() - home.placed();
    int lent = context.cache().lentSlots().count();
    if (missing > 0 && lent > 0) {
      sharing.takeBack(Math.min(missing, lent));
    }
  }

  /** Reports to the desk if chunks have no slot here, or if the group shares. */
  private Optional<Sharing.Asked> ask(Sharing sharing, CachedCheckpoint slots) {
    boolean homeless = slots.placed() < slots.chunks();
    return homeless || sharing.isShared(member.group())
        ? Optional.of(sharing.ask(member, slots))
        : Optional.empty();
  }

  private String noRoom(Snapshot snapshot) {
    Room room = room(snapshot.chunks());
    return room.isTooSmall()
        ? room.toString()
        : "%d of %d slots are free, and the rest are in use; %s"
            .formatted(context.cache().freeSlots(), room.slots(), room);
  }

  private Room room(int chunks) {
    return new Room(chunks, context.cache().slots(), context.cache().chunkBytes());
  }

  /**
   * Checks that the cache can hold the protected memory, unless chunks may go to other processes.
   * Without that room every capture would be skipped.
   *
   * @throws RestoreException if it cannot
   */
  void requireRoom() {
    if (context.sharing().get().isEmpty()) {
      requireRoom(room(regions.fixedChunks()));
    }
  }

  private void requireRoom(Room room) {
    if (room.isTooSmall()) {
      throw new RestoreException(member + " cannot be protected: " + room);
    } else if (room.isTight()) {
      LOG.warn(
          "{}: the device cache has room for one checkpoint only, so captures are skipped while it"
              + " is being copied: {}",
          member,
          room);
    }
  }

  /** Whether the desk's plan placed any checkpoint. */
  boolean hasLeased() {
    return hasLeased;
  }

  /** Waits until the device has read the regions for the last time, so that they may be written. */
  void awaitLast() {
    if (lastCopied != null) {
      lastCopied.captured().join();
    }
  }

  /**
   * Like {@link #awaitLast()}, for at most {@code patience}. The caller may free the regions next.
   */
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
