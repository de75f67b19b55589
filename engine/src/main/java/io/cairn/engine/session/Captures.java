package io.cairn.engine.session;

import io.cairn.CairnEvent;
import io.cairn.Member;
import io.cairn.Outcome;
import io.cairn.cache.capture.Capture;
import io.cairn.cache.capture.CaptureBeside;
import io.cairn.cache.capture.ProtectedRegions;
import io.cairn.cache.capture.Snapshot;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.core.model.Fingerprint;
import io.cairn.engine.events.Watchdog;
import io.cairn.engine.promotion.Promoted;
import io.cairn.engine.session.Reservations.NoRoomException;
import io.cairn.engine.session.Ticket.Reporter;
import io.cairn.engine.session.Timing.Iteration;
import io.cairn.engine.session.Timing.Waiting;
import io.cairn.engine.sharing.Sharing;
import io.cairn.engine.sharing.borrower.Leases;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies one rank's regions into the device cache, and the remainder into slots of lenders. {@link
 * Arrivals} completes them. The training thread owns it; a capture on a device that copies later,
 * or one beside the training, ends on the completer.
 */
final class Captures {
  private static final Logger LOG = LoggerFactory.getLogger(Captures.class);

  private final SessionContext context;
  private final Member member;
  private final ProtectedRegions regions;
  private final Arrivals arrivals;
  private final FallBack fallBack;
  private final StraightCaptures straight;
  private final Reservations reservations;

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
    this.straight = new StraightCaptures(context, member, arrivals);
    this.reservations = new Reservations(context, member);
  }

  /** The thread that copies, and how long a checkpoint may look for room. */
  enum Mode {
    /** The training thread, or a device by itself. */
    NOW,
    /** Threads that wait, or a device, while the training goes on. */
    BESIDE,
    /** As {@link #NOW}; it is the training's last, as far as is known. */
    ENDING,
    /** As {@link #ENDING}, while an earlier one is on its way, so that full queues reject it. */
    ENDING_AGAIN;

    /** Whether it is the training's last, as far as is known. */
    boolean isLast() {
      return this == ENDING || this == ENDING_AGAIN;
    }
  }

  /**
   * Captures for a ticket; ends now, or on the completer when the regions were copied.
   *
   * @param before the iteration that it follows
   */
  void begin(EpochSession epoch, Ticket ticket, Iteration before, Mode mode) {
    try {
      checkNames();
      Snapshot snapshot = mode == Mode.BESIDE ? regions.snapshotToCopyLater() : regions.snapshot();
      reservations.fit(snapshot.chunks());
      if (mode == Mode.BESIDE && mayCopyBeside(snapshot)) {
        beginBeside(epoch, ticket, snapshot, before);
      } else {
        capture(
            new Request(
                epoch,
                ticket,
                snapshot,
                regions.program(),
                mode,
                () -> before.releasedAt(context.nanoTime().getAsLong())));
      }
    } catch (RuntimeException | Error e) {
      // a mistake of the caller, such as a blob without bytes: it is thrown, and nothing stays open
      epoch.fail(ticket, e);
      throw e;
    }
  }

  /** On a busy machine, a wait for another thread is longer than a short copy. */
  private static boolean mayCopyBeside(Snapshot snapshot) {
    return !snapshot.isShort();
  }

  private void beginBeside(EpochSession epoch, Ticket ticket, Snapshot snapshot, Iteration before) {
    Waiting waiting = new Waiting(context.nanoTime());
    Timing timing = before.releasedAt(context.nanoTime().getAsLong()).with(waiting);
    Request request =
        new Request(epoch, ticket, snapshot, regions.program(), Mode.BESIDE, () -> timing);
    CompletableFuture<?> mayLand = new CompletableFuture<>();
    Beside capture =
        new Beside(
            request,
            waiting,
            mayLand,
            () -> tryBeside(request, mayLand),
            () -> captureOrFail(request));
    beside = Optional.of(capture);
    if (snapshot.isOnHost()) {
      context.completer().execute(capture::begin);
    } else {
      capture.begin(); // behind the work that the device has now, and no later one
    }
  }

  /** Begins the copies, if there is room for all of them now; never waits. */
  private Optional<CaptureBeside> tryBeside(Request request, CompletableFuture<?> mayLand) {
    try {
      return reservations.all(request).map(slots -> copyBeside(request, slots, mayLand));
    } catch (RuntimeException | Error e) {
      request.epoch().fail(request.ticket(), e);
      return Optional.empty();
    }
  }

  private CaptureBeside copyBeside(
      Request request, CachedCheckpoint slots, CompletableFuture<?> mayLand) {
    CaptureBeside copies;
    try {
      Optional<Sharing.Asked> unused = context.sharing().get().flatMap(with -> ask(with, slots));
      copies = request.snapshot().copyBeside(slots);
    } catch (RuntimeException | Error e) {
      slots.discard();
      throw e;
    }
    land(new Begun(slots, copies.capture(), Leases.none()), request, mayLand);
    return copies;
  }

  /** A failure reaches the caller, which waits, by the ticket alone. */
  private void captureOrFail(Request request) {
    try {
      capture(request);
    } catch (CancellationException e) {
      request.epoch().fail(request.ticket(), e);
      throw e;
    } catch (RuntimeException | Error e) {
      request.epoch().fail(request.ticket(), e);
    }
  }

  private void capture(Request request) {
    if (reservations.needsOthers(request.snapshot()) && !fallBack.mayTry()) {
      instead(request, new NoRoomException(reservations.noRoom(request)));
    } else {
      tryDevice(request);
    }
  }

  /** Before the first capture, which has all regions. */
  private void checkNames() {
    if (!checkedNames) {
      checkedNames = true;
      Set<String> unknown = new TreeSet<>(context.regions().names());
      unknown.removeAll(regions.names());
      unknown.removeIf(name -> !context.unknownRegions().add(name)); // once per process
      if (!unknown.isEmpty()) {
        context.observers().publish(new CairnEvent.UnknownRegions(member, unknown));
      }
    }
  }

  private void tryDevice(Request request) {
    try {
      Begun begun = copy(request, reservations.await(request, lastLanded));
      land(begun, request, CompletableFuture.completedFuture(null));
    } catch (NoRoomException e) {
      if (reservations.needsOthers(request.snapshot())) {
        long stoppedNanos = request.timing().get().blockedNanos();
        fallBack.missed(
            request.ticket().id(), context.nanoTime().getAsLong() - stoppedNanos, e.reason());
      }
      instead(request, e);
    }
  }

  /**
   * Captures past DEVICE, if the rank has fallen back or this is its last checkpoint. Otherwise,
   * and where no further level is due, the checkpoint is left out.
   */
  private void instead(Request request, NoRoomException noRoom) {
    boolean past =
        reservations.needsOthers(request.snapshot())
            && (request.mode().isLast() || fallBack.isFallen());
    if (past && !request.ticket().dueBelowDevice().isEmpty()) {
      straight.take(request, noRoom.reason());
    } else if (noRoom.getCause() instanceof RuntimeException failure) {
      request.epoch().fail(request.ticket(), failure);
    } else {
      request.epoch().skip(request.ticket(), noRoom.reason());
    }
  }

  private record Begun(CachedCheckpoint slots, Capture capture, Leases leases) {}

  /** Begins to copy. */
  private Begun copy(Request request, CachedCheckpoint slots) throws NoRoomException {
    try {
      // the desk plans while this rank copies what fits at home
      Optional<Sharing> sharing = context.sharing().get();
      Optional<Sharing.Asked> asked = sharing.flatMap(with -> ask(with, slots));
      Capture capture = request.snapshot().copyInto(slots);
      Leases leases = Leases.none();
      if (asked.isPresent() && slots.placed() < slots.chunks()) {
        hasLeased = true;
        leases = place(request, sharing.orElseThrow(), asked.get(), capture);
      }
      if (slots.placed() < slots.chunks()) {
        String reason = slots.placed() + " chunks found a place; " + reservations.noRoom(request);
        capture.abandon();
        throw new NoRoomException(reason);
      }
      return new Begun(slots, capture, leases);
    } catch (RuntimeException | Error | NoRoomException e) {
      slots.discard();
      throw e;
    }
  }

  /** A failure of a peer is no mistake of the caller, which continues. */
  private Leases place(Request request, Sharing sharing, Sharing.Asked asked, Capture capture)
      throws NoRoomException {
    try {
      return sharing.place(
          asked, capture, why -> arrivals.withdrawn(request.epoch(), request.ticket(), why));
    } catch (RuntimeException e) {
      capture.abandon();
      throw new NoRoomException(e);
    } catch (Error e) {
      capture.abandon();
      throw e;
    }
  }

  /**
   * Lets it land when it is copied.
   *
   * @param mayLand completes when it may; the slots are copied to before
   */
  private void land(Begun begun, Request request, CompletableFuture<?> mayLand) {
    Reporter reporter = request.reporter(context.nanoTime());
    CompletableFuture<Void> landed = new CompletableFuture<>();
    boolean inOrder = lastLanded.isDone();
    lastLanded = landed;
    try {
      Promoted captured = promoted(begun, request, reporter);
      Runnable landing =
          () -> {
            Watchdog.Work work = context.watchdog().begin(member, "the landing of its capture");
            try {
              arrivals.land(begun.capture(), begun.slots(), reporter, captured);
            } finally {
              work.close();
              landed.complete(null);
            }
          };
      if (!mayLand.isDone()) {
        if (request.snapshot().isOnHost()) {
          context.completer().execute(() -> copy(begun.capture()));
        }
        var unused = mayLand.thenRun(() -> landSoon(begun, landing, landed));
      } else if (inOrder && begun.capture().isDone()) {
        landing.run();
      } else {
        letWrite(begun, request);
        context.completer().execute(landing);
      }
    } catch (RuntimeException | Error e) { // else a restore would wait for this landing for good
      begun.capture().abandon();
      begun.slots().discard();
      landed.complete(null);
      throw e;
    }
  }

  /** Copies what nobody has begun. A failure shows when the capture lands. */
  private static void copy(Capture beside) {
    try {
      boolean unused = beside.hasLanded(0, Integer.MAX_VALUE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** A process that has closed lands nothing any more. */
  private void landSoon(Begun begun, Runnable landing, CompletableFuture<Void> landed) {
    try {
      context.completer().execute(landing);
    } catch (RejectedExecutionException e) {
      LOG.warn("{} is lost: its process closed before its rank did", begun.slots().id());
      begun.capture().abandon();
      begun.slots().discard();
      landed.complete(null);
    }
  }

  /** A chunk that a lender does not take is copied again, so its region stays as it is. */
  private static void letWrite(Begun begun, Request request) {
    if (begun.leases().chunks() == 0 && begun.capture().isSourceFree()) {
      request.epoch().tickets().capture(request.ticket(), request.captured());
    }
  }

  private Promoted promoted(Begun begun, Request request, Reporter reporter) {
    return request
        .epoch()
        .promoted(
            member,
            request.ticket(),
            begun.slots(),
            begun.leases(),
            request.program(),
            request.mode() == Mode.ENDING,
            reporter);
  }

  /** Reports to the desk if chunks have no slot here, or if the group shares. */
  private Optional<Sharing.Asked> ask(Sharing sharing, CachedCheckpoint slots) {
    boolean homeless = slots.placed() < slots.chunks();
    return homeless || sharing.isShared(member.group())
        ? Optional.of(sharing.ask(member, slots))
        : Optional.empty();
  }

  /** Checks that the cache can hold the protected memory, as {@link Reservations} says. */
  void requireRoom() {
    reservations.requireRoom(regions);
  }

  /** The rank has left: its next checkpoint is not expected any more. */
  void left() {
    reservations.forget();
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
    long begin = context.nanoTime().getAsLong();
    beside.ifPresent(capture -> capture.await(patience));
    awaitLanded(patience, begin);
  }

  /** Likewise, for a rank that closes: a cancellation fails a capture without room, and no more. */
  void end(Duration patience) {
    long begin = context.nanoTime().getAsLong();
    try {
      beside.ifPresent(capture -> capture.await(patience));
    } catch (CancellationException e) {
      LOG.info("{} ends without its last capture: {}", member, e.getMessage());
    }
    awaitLanded(patience, begin);
  }

  private void awaitLanded(Duration patience, long beginNanos) {
    long left = Math.max(0, patience.toNanos() - (context.nanoTime().getAsLong() - beginNanos));
    try {
      lastLanded.copy().orTimeout(left, TimeUnit.NANOSECONDS).join();
    } catch (CompletionException e) {
      LOG.warn(
          "{}: a capture is still being copied after {}; its memory must not be freed yet",
          member,
          patience);
    }
  }

  /**
   * A capture that a training has asked for.
   *
   * @param program that the regions belong to
   * @param mode who copies, and whether the checkpoint is the training's last, as far as is known
   * @param timing how long the checkpoint has stopped the training so far
   */
  record Request(
      EpochSession epoch,
      Ticket ticket,
      Snapshot snapshot,
      Fingerprint program,
      Mode mode,
      Supplier<Timing> timing) {
    /** Reports what becomes of it, with the timing of this moment. */
    Reporter reporter(LongSupplier nanoTime) {
      return ticket.new Reporter(epoch, timing.get(), nanoTime);
    }

    /** The outcome when all regions were read. */
    Outcome captured() {
      return new Outcome.Captured(snapshot.bytes());
    }
  }
}
