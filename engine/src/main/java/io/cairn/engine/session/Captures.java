package io.cairn.engine.session;

import io.cairn.cache.capture.Capture;
import io.cairn.cache.capture.CaptureBeside;
import io.cairn.cache.capture.ProtectedRegions;
import io.cairn.cache.capture.Snapshot;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.LentSlots;
import io.cairn.core.model.Member;
import io.cairn.core.session.Outcome;
import io.cairn.core.session.RestoreException;
import io.cairn.engine.events.CairnEvent;
import io.cairn.engine.promotion.Promoted;
import io.cairn.engine.sharing.Sharing;
import io.cairn.engine.sharing.borrower.Leases;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies one rank's regions into the device cache, and the remainder into slots of lenders. {@link
 * Arrivals} completes them. The training thread owns it; a capture on a device that copies later,
 * or one beside the training, ends on the completer.
 */
final class Captures {
  /** A capture lands within milliseconds of its call, if its device works. */
  private static final Duration LANDING_WAIT = Duration.ofSeconds(1);

  private static final Logger LOG = LoggerFactory.getLogger(Captures.class);

  private final SessionContext context;
  private final Member member;
  private final ProtectedRegions regions;
  private final Arrivals arrivals;
  private final FallBack fallBack;
  private final StraightCaptures straight;

  /** Completes when the last capture has landed, well or badly. */
  private CompletableFuture<Void> lastLanded = CompletableFuture.completedFuture(null);

  /** The last capture beside the training, until a later one of any kind begins. */
  private Optional<Beside> beside = Optional.empty();

  private boolean hasLeased;
  private boolean checkedNames;

  Captures(
      SessionContext context,
      Member member,
      ProtectedRegions regions,
      Arrivals arrivals,
      FallBack fallBack) {
    this.context = context;
    this.member = member;
    this.regions = regions;
    this.arrivals = arrivals;
    this.fallBack = fallBack;
    this.straight = new StraightCaptures(context, member, regions, arrivals);
  }

  /** The thread that copies, and how long a checkpoint may look for room. */
  enum Mode {
    /** The training thread, or a device by itself. */
    NOW,
    /** Threads that wait, while the training goes on. */
    BESIDE,
    /** As {@link #NOW}; it is the training's last, as far as is known. */
    ENDING
  }

  /**
   * Captures for a ticket; ends now, or on the completer when the regions were copied.
   *
   * @param before the iteration that it follows
   */
  void begin(EpochSession epoch, Ticket ticket, IterationTimer.Iteration before, Mode mode) {
    boolean ending = mode == Mode.ENDING;
    try {
      checkNames();
      Snapshot snapshot = regions.snapshot();
      if (needsOthers(snapshot) && !fallBack.mayTry()) {
        instead(epoch, ticket, snapshot, before, ending, new NoRoomException(noRoom(snapshot)));
      } else {
        tryDevice(epoch, ticket, snapshot, before, mode);
      }
    } catch (RuntimeException e) {
      // a mistake of the caller, such as a blob without bytes: it is thrown, and nothing stays open
      epoch.fail(ticket, e);
      throw e;
    }
  }

  /** Before the first capture, which has all regions. */
  private void checkNames() {
    if (!checkedNames) {
      checkedNames = true;
      Set<String> unknown = context.regions().newlyUnknown(regions.names());
      if (!unknown.isEmpty()) {
        context.observers().publish(new CairnEvent.UnknownRegions(member, unknown));
      }
    }
  }

  private void tryDevice(
      EpochSession epoch,
      Ticket ticket,
      Snapshot snapshot,
      IterationTimer.Iteration before,
      Mode mode) {
    boolean ending = mode == Mode.ENDING;
    try {
      Duration wait = ending ? context.closeTimeout() : context.captureWait();
      CachedCheckpoint slots = reserve(epoch, ticket, snapshot, wait);
      Begun begun = copy(epoch, ticket, snapshot, slots, mode == Mode.BESIDE);
      // the caller continues now, or with the copies of a device that copies at once
      Timing timing =
          before
              .releasedAt(context.nanoTime().getAsLong())
              .with(beside.map(Beside::waiting).orElse(Waiting.NONE));
      land(begun, new TicketReporter(epoch, ticket, timing, context.nanoTime()), ending);
    } catch (NoRoomException e) {
      if (needsOthers(snapshot)) {
        fallBack.missed(ticket.id(), before.endNanos(), e.reason());
      }
      instead(epoch, ticket, snapshot, before, ending, e);
    }
  }

  /**
   * Captures past DEVICE, if the rank has fallen back or this is its last checkpoint. Otherwise,
   * and where no further level is due, the checkpoint is left out.
   */
  private void instead(
      EpochSession epoch,
      Ticket ticket,
      Snapshot snapshot,
      IterationTimer.Iteration before,
      boolean ending,
      NoRoomException noRoom) {
    boolean past = needsOthers(snapshot) && (ending || fallBack.isFallen());
    if (past && !ticket.dueBelowDevice().isEmpty()) {
      straight.take(epoch, ticket, snapshot, before, ending, noRoom.reason());
    } else if (noRoom.getCause() instanceof RuntimeException failure) {
      epoch.fail(ticket, failure);
    } else {
      epoch.skip(ticket, noRoom.reason());
    }
  }

  /** All slots, or, where the rest may come from lenders, as many as there are. */
  private CachedCheckpoint reserve(
      EpochSession epoch, Ticket ticket, Snapshot snapshot, Duration wait) throws NoRoomException {
    Optional<CachedCheckpoint> whole = reserveAll(epoch, ticket, snapshot.chunks(), wait);
    Optional<Sharing> sharing = context.sharing().get();
    if (whole.isPresent()) {
      return whole.get();
    } else if (sharing.isEmpty()) {
      throw new NoRoomException(noRoom(snapshot));
    }
    CachedCheckpoint home =
        context.cache().reservePart(ticket.id(), member.rank(), snapshot.chunks());
    claimBack(sharing.get(), home);
    return home;
  }

  /**
   * Waits until the capture before has landed, which cannot be evicted until then, and while the
   * cache could hold the checkpoint, and others occupy it.
   */
  private Optional<CachedCheckpoint> reserveAll(
      EpochSession epoch, Ticket ticket, int chunks, Duration wait) {
    Optional<CachedCheckpoint> all = context.cache().reserve(ticket.id(), member.rank(), chunks);
    if (all.isEmpty() && !lastLanded.isDone() && !room(chunks).isTooSmall()) {
      Patience.of(context, member, epoch.membership(), LANDING_WAIT).await(lastLanded);
      all = context.cache().reserve(ticket.id(), member.rank(), chunks);
    }
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

  /** Begins to copy. */
  private Begun copy(
      EpochSession epoch, Ticket ticket, Snapshot snapshot, CachedCheckpoint slots, boolean mayWait)
      throws NoRoomException {
    try {
      // the desk plans while this rank copies what fits at home
      Optional<Sharing> sharing = context.sharing().get();
      Optional<Sharing.Asked> asked = sharing.flatMap(with -> ask(with, slots));
      boolean isBeside = mayWait && slots.placed() == slots.chunks() && snapshot.isOnHost();
      Capture capture =
          isBeside ? beside(epoch, ticket, snapshot, slots) : snapshot.copyInto(slots);
      Leases leases = Leases.none();
      if (asked.isPresent() && slots.placed() < slots.chunks()) {
        hasLeased = true;
        leases = place(epoch, ticket, sharing.orElseThrow(), asked.get(), capture);
      }
      if (slots.placed() < slots.chunks()) {
        String reason = slots.placed() + " chunks found a place; " + noRoom(snapshot);
        capture.abandon();
        throw new NoRoomException(reason);
      }
      return new Begun(slots, capture, leases);
    } catch (RuntimeException | NoRoomException e) {
      slots.discard();
      throw e;
    }
  }

  private Capture beside(
      EpochSession epoch, Ticket ticket, Snapshot snapshot, CachedCheckpoint slots) {
    CaptureBeside copies = snapshot.copyBeside(slots);
    beside =
        Optional.of(
            new Beside(copies, ticket, epoch.tickets(), snapshot.bytes(), context.nanoTime()));
    return copies.capture();
  }

  /** A failure of a peer is no mistake of the caller, which continues. */
  private Leases place(
      EpochSession epoch, Ticket ticket, Sharing sharing, Sharing.Asked asked, Capture capture)
      throws NoRoomException {
    try {
      return sharing.place(asked, capture, why -> arrivals.withdrawn(epoch, ticket.id(), why));
    } catch (RuntimeException e) {
      capture.abandon();
      throw new NoRoomException(e);
    }
  }

  private void land(Begun begun, TicketReporter reporter, boolean ending) {
    CompletableFuture<Void> landed = new CompletableFuture<>();
    boolean inOrder = lastLanded.isDone();
    lastLanded = landed;
    try {
      Promoted captured = promoted(begun, reporter, ending);
      Runnable landing =
          () -> {
            try {
              arrivals.land(begun.capture(), begun.slots(), reporter, captured);
            } finally {
              landed.complete(null);
            }
          };
      if (inOrder && begun.capture().isDone()) {
        landing.run();
      } else {
        letWrite(begun, reporter, captured.bytes());
        context.completer().execute(landing);
      }
    } catch (RuntimeException e) {
      begun.capture().abandon();
      begun.slots().discard();
      landed.complete(null);
      throw e;
    }
  }

  /** A chunk that a lender does not take is copied again, so its region stays as it is. */
  private static void letWrite(Begun begun, TicketReporter reporter, long bytes) {
    if (begun.leases().chunks() == 0 && begun.capture().isSourceFree()) {
      reporter.epoch().tickets().capture(reporter.ticket(), new Outcome.Captured(bytes));
    }
  }

  private Promoted promoted(Begun begun, TicketReporter reporter, boolean ending) {
    return reporter
        .epoch()
        .promoted(
            member,
            reporter.ticket(),
            begun.slots(),
            begun.leases(),
            regions.program(),
            ending,
            reporter);
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

  /**
   * Whether the slots that are here cannot hold a checkpoint, so that room at DEVICE depends on
   * other processes: on lenders, or on borrowers that may keep what was lent to them for long.
   */
  private boolean needsOthers(Snapshot snapshot) {
    LentSlots lent = context.cache().lentSlots();
    int here = context.cache().slots() - (lent.count() - lent.leaving());
    return new Room(snapshot.chunks(), here, context.cache().chunkBytes()).isTooSmall();
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
      // a cache that has shrunk since leaves the way past DEVICE
      int slots = context.cache().slotNumbers();
      requireRoom(new Room(regions.fixedChunks(), slots, context.cache().chunkBytes()));
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

  /** The training has computed another iteration, and no capture beside it is copied any more. */
  void overtaken() {
    beside.ifPresent(Beside::overtaken);
    beside = Optional.empty();
  }

  /** The last capture, if it is one beside the training. */
  Optional<Beside> beside() {
    return beside;
  }

  /** Waits until no capture is under way. */
  void awaitLast() {
    beside.ifPresent(Beside::await);
    lastLanded.join();
  }

  /**
   * Like {@link #awaitLast()}, for at most {@code patience}. The caller may free the regions next.
   */
  void awaitLast(Duration patience) {
    beside.ifPresent(Beside::await);
    try {
      lastLanded.copy().orTimeout(patience.toNanos(), TimeUnit.NANOSECONDS).join();
    } catch (CompletionException e) {
      LOG.warn(
          "{}: a capture is still being copied after {}; its memory must not be freed yet",
          member,
          patience);
    }
  }
}
