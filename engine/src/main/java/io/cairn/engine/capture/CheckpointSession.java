package io.cairn.engine.capture;

import io.cairn.cache.capture.Capture;
import io.cairn.cache.capture.ProtectedRegions;
import io.cairn.cache.capture.Snapshot;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.Pin;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.Level;
import io.cairn.core.model.Member;
import io.cairn.core.model.RegionImage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.session.CheckpointTicket;
import io.cairn.core.session.Checkpointer;
import io.cairn.core.session.Outcome;
import io.cairn.core.session.Region;
import io.cairn.core.session.RestoreException;
import io.cairn.core.session.RestoreReport;
import io.cairn.engine.promotion.Promotion;
import io.cairn.engine.restore.GroupRestore;
import io.cairn.engine.runtime.Membership;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A rank's checkpoints: captures into the device cache, sends them down, and goes back to one. The
 * training thread owns it; what completes later comes in on the process's own threads and touches
 * tickets only.
 */
public final class CheckpointSession implements Checkpointer {
  private static final Logger LOG = LoggerFactory.getLogger(CheckpointSession.class);

  private final SessionContext context;
  private final Member member;
  private final ProtectedRegions regions;
  private final FreshnessAlarm freshness;
  private Stint stint;
  private @Nullable Ticket lastCopied;
  private long lastIteration = -1;

  /** Whether this member may not agree again, having tried: only a new epoch helps. */
  private boolean spent;

  private boolean closed;

  /** Joins the group, waiting until every rank has. */
  public CheckpointSession(SessionContext context, Member member) {
    this.context = context;
    this.member = member;
    this.regions = new ProtectedRegions(context.cache().chunkBytes());
    this.freshness = new FreshnessAlarm(member);
    this.stint = enter();
  }

  private Stint enter() {
    Tickets tickets = new Tickets(context, member);
    Membership entered =
        new Membership(context.coordination(), member, context.interruption(), tickets::receive);
    context.promotion().announce(member.group(), entered.epoch());
    return new Stint(entered, tickets, null);
  }

  @Override
  public Member member() {
    return member;
  }

  @Override
  public long epoch() {
    return stint.membership().epoch();
  }

  @Override
  public void protect(Region region) {
    regions.protect(region);
    if (!(region instanceof Region.Blob)) {
      freshness.watch(region.name());
    }
  }

  @Override
  public CheckpointTicket checkpoint(long iteration) {
    requireOpen();
    context.interruption().run();
    long begin = System.nanoTime();
    if (stint.base() == null && !startAfresh()) {
      return refused(iteration);
    }
    if (iteration <= lastIteration) {
      throw new IllegalArgumentException(
          member
              + ": iteration "
              + iteration
              + " after "
              + lastIteration
              + " in epoch "
              + epoch()
              + ": iterations must rise within an epoch; restore() begins a new one");
    }
    lastIteration = iteration;
    Ticket ticket = open(new CheckpointId(member.group(), epoch(), iteration));
    if (stint.due(Level.DEVICE, iteration) && ticket.claimCapture()) {
      capture(ticket, begin);
    }
    return ticket;
  }

  /** Whether the group agreed to start without restoring; if not, this member is over. */
  private boolean startAfresh() {
    if (!spent) {
      spent = true;
      try {
        goOn(groupRestore().startAfresh());
      } catch (RestoreException e) {
        LOG.error("{} cannot checkpoint: {}", member, e.getMessage());
      }
    }
    return !spent;
  }

  private CheckpointTicket refused(long iteration) {
    Ticket ticket = new Ticket(new CheckpointId(member.group(), epoch(), iteration));
    Outcome failed =
        new Outcome.Failed("the group did not agree where to go on from; restore() tries again");
    for (Level level : Level.values()) {
      ticket.settle(level, failed);
    }
    ticket.capture(failed);
    return ticket;
  }

  /** A ticket with everything settled that can be now: what is not due, or all if fenced. */
  private Ticket open(CheckpointId id) {
    Ticket ticket = stint.tickets().open(id);
    String fenced = stint.membership().fencedBecause();
    if (fenced != null) {
      stint.tickets().fence(fenced);
      return ticket;
    }
    if (!stint.due(Level.DEVICE, id.iteration()) && ticket.claimCapture()) {
      stint.tickets().capture(ticket, new Outcome.NotDue(Level.DEVICE));
    }
    for (Level level : Level.values()) {
      if (!stint.due(level, id.iteration())) {
        stint.tickets().settle(id, level, new Outcome.NotDue(level));
      }
    }
    return ticket;
  }

  private void capture(Ticket ticket, long begin) {
    try {
      Snapshot snapshot = regions.snapshot();
      Optional<CachedCheckpoint> room =
          context.cache().reserve(ticket.id(), member.rank(), snapshot.chunks());
      if (room.isEmpty()) {
        skip(ticket, snapshot);
      } else {
        copy(ticket, snapshot, room.get(), begin);
      }
    } catch (RuntimeException e) {
      // a mistake of the caller, such as a blob without bytes: it is told, and nothing stays open
      fail(stint, ticket, e);
      throw e;
    }
  }

  private void copy(Ticket ticket, Snapshot snapshot, CachedCheckpoint slots, long begin) {
    Capture capture;
    try {
      capture = snapshot.copyInto(slots, context.memory());
    } catch (RuntimeException e) {
      slots.discard();
      throw e;
    }
    lastCopied = ticket;
    InFlight flight = new InFlight(stint, ticket, slots, capture, snapshot.bytes(), begin);
    if (capture.isDone()) {
      land(flight);
    } else {
      context.completer().execute(() -> land(flight));
    }
  }

  private record InFlight(
      Stint stint, Ticket ticket, CachedCheckpoint slots, Capture capture, long bytes, long begin) {
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
    CheckpointId id = flight.id();
    context.counters().captured(flight.bytes(), System.nanoTime() - flight.begin());
    then.tickets().capture(flight.ticket(), new Outcome.Captured(flight.bytes()));
    then.membership()
        .send(
            new MemberMessage.Held(
                member.rank(), id.epoch(), id.iteration(), Level.DEVICE, Optional.empty()));
    if (then.due(Level.NODE, id.iteration())) {
      context.promotion().promote(work(flight));
    }
  }

  private Promotion.Work work(InFlight flight) {
    Stint then = flight.stint();
    return new Promotion.Work(
        member,
        flight.id(),
        flight.slots(),
        then.agreed().parent(),
        then.agreed().ancestry(),
        then.due(Level.STORE, flight.id().iteration()),
        level -> flight.ticket().outcome(level).isPresent(),
        then.membership()::send,
        then.membership()::fence);
  }

  private void fail(Stint then, Ticket ticket, Exception cause) {
    LOG.warn("{} was not captured: {}", ticket.id(), cause.toString());
    then.tickets().capture(ticket, new Outcome.Failed(cause.toString()));
    giveUp(then, ticket.id(), true, "capture failed: " + cause);
  }

  private void skip(Ticket ticket, Snapshot snapshot) {
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
    stint.tickets().capture(ticket, new Outcome.Skipped(reason));
    giveUp(stint, ticket.id(), false, reason);
  }

  private void giveUp(Stint then, CheckpointId id, boolean failed, String reason) {
    for (Level level : Level.values()) {
      if (then.due(level, id.iteration())) {
        then.membership()
            .send(
                new MemberMessage.GaveUp(
                    member.rank(), id.epoch(), id.iteration(), level, failed, reason));
      }
    }
  }

  private GroupRestore groupRestore() {
    return new GroupRestore(stint.membership(), member, context.planners(), regions);
  }

  @Override
  public Optional<RestoreReport> restore() {
    return restoreWhere(id -> true);
  }

  @Override
  public Optional<RestoreReport> restore(CheckpointId wanted) {
    return restoreIfAny(wanted::equals);
  }

  @Override
  public Optional<RestoreReport> restoreBefore(long iteration) {
    return restoreIfAny(id -> id.iteration() < iteration);
  }

  private Optional<RestoreReport> restoreWhere(Predicate<CheckpointId> wanted) {
    requireOpen();
    if (stint.base() != null || spent) {
      rollBack();
    }
    spent = true;
    GroupRestore.Result result = groupRestore().run(wanted);
    goOn(result);
    result.report().ifPresent(report -> context.observers().restored(member, report));
    return result.report();
  }

  /** For a rank on its own, to ask for what does not exist changes nothing. */
  private Optional<RestoreReport> restoreIfAny(Predicate<CheckpointId> wanted) {
    requireOpen();
    return member.size() > 1 || groupRestore().canOffer(wanted)
        ? restoreWhere(wanted)
        : Optional.empty();
  }

  private void goOn(GroupRestore.Result result) {
    stint = stint.from(result.resume());
    spent = false;
    lastIteration = result.resume().id().map(CheckpointId::iteration).orElse(-1L);
    freshness.reset();
    if (result.report().isPresent()) {
      dropLeftLine(result.resume().ancestry());
    }
  }

  /** What was captured after the checkpoint that the group went back to does not count any more. */
  private void dropLeftLine(Ancestry line) {
    context.cache().of(member.group(), member.rank()).stream()
        .filter(cached -> !line.contains(cached.id()))
        .forEach(CachedCheckpoint::discard);
  }

  /** Leaves the epoch for a new one: what is on its way down in the old one is over. */
  private void rollBack() {
    if (lastCopied != null) {
      lastCopied.captured().join();
    }
    spent = true;
    stint.membership().fence("the group rolled back");
    stint.membership().close();
    stint = enter();
  }

  /** Whoever closes may free the regions next: not while a device still reads them. */
  private void awaitCopy() {
    if (lastCopied != null) {
      Outcome.Failed late =
          new Outcome.Failed("still being copied after " + context.closeTimeout());
      Outcome outcome =
          lastCopied
              .captured()
              .completeOnTimeout(late, context.closeTimeout().toNanos(), TimeUnit.NANOSECONDS)
              .join();
      if (outcome.equals(late)) {
        LOG.warn("{}: {}; its memory must not be freed yet", lastCopied.id(), late.reason());
      }
    }
  }

  /** A cancelled rank waits for nobody: its group goes on without this attempt. */
  private boolean cancelled() {
    try {
      context.interruption().run();
      return false;
    } catch (CancellationException e) {
      LOG.info("{} does not wait for its last checkpoints: {}", member, e.getMessage());
      return true;
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new IllegalStateException(member + ": the checkpointer is closed");
    }
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    stint.tickets().awaitAll(context.closeTimeout(), this::cancelled);
    awaitCopy();
    stint.membership().send(new MemberMessage.Leave(member.rank(), epoch()));
    stint.membership().close();
    stint.tickets().abandon("the rank was closed before");
  }
}
