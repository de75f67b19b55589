package io.cairn.engine.session;

import io.cairn.cache.capture.ProtectedRegions;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.core.cadence.FollowedCadence;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.Level;
import io.cairn.core.model.Member;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.session.CheckpointTicket;
import io.cairn.core.session.Checkpointer;
import io.cairn.core.session.Outcome;
import io.cairn.core.session.Region;
import io.cairn.core.session.RestoreException;
import io.cairn.core.session.RestoreReport;
import io.cairn.engine.coordination.Membership;
import io.cairn.engine.events.CairnEvent;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A rank's session: captures checkpoints into the device cache, promotes them, and restores one.
 * The training thread owns it. Threads of the process complete tickets, and change nothing else
 * here.
 */
public final class CheckpointSession implements Checkpointer {
  private static final Logger LOG = LoggerFactory.getLogger(CheckpointSession.class);

  private final SessionContext context;
  private final Member member;
  private final ProtectedRegions regions;
  private final Arrivals arrivals;
  private final Captures captures;
  private final Orders orders;
  private final IterationTimer timer = new IterationTimer();
  private volatile EpochSession current;
  private long lastIteration = -1;

  /** Whether this member has agreed once, or failed to: another agreement needs a new epoch. */
  private boolean spent;

  /** Whether anything was restored, or asked to be captured. */
  private boolean used;

  private boolean closed;

  /** Joins the group, waiting until every rank has. */
  public CheckpointSession(SessionContext context, Member member) {
    this.context = context;
    this.member = member;
    this.regions = new ProtectedRegions(context.cache().memory(), context.cache().chunkBytes());
    regions.describe(Fingerprint.RUN, context.start().run());
    if (!context.start().label().isEmpty()) {
      regions.describe("label", context.start().label());
    }
    this.arrivals = new Arrivals(context, member);
    this.captures = new Captures(context, member, regions, arrivals);
    this.orders = new Orders(member, arrivals);
    this.current = enter();
    context.sessions().add(this);
  }

  private EpochSession enter() {
    Tickets tickets = new Tickets(context, member);
    Membership entered =
        new Membership(
            context.coordination(),
            member,
            context.interruption(),
            message -> orders.receive(message, tickets, () -> current));
    context.promotion().begin(member.group(), entered.epoch());
    return new EpochSession(member.rank(), entered, tickets, null);
  }

  /**
   * Reports that this process is about to end, so that the group rescues its newest checkpoint.
   * Thread-safe.
   *
   * @return completes when the rescued checkpoint is on its way, or there is none; never completes
   *     if the coordinator does not answer
   */
  public CompletableFuture<@Nullable Void> endangered() {
    Membership now = current.membership();
    return orders.ask(now, new MemberMessage.Endangered(member.rank(), now.epoch()));
  }

  @Override
  public Member member() {
    return member;
  }

  @Override
  public long epoch() {
    return current.membership().epoch();
  }

  @Override
  public void protect(Region region) {
    regions.protect(region);
    arrivals.watch(region);
  }

  @Override
  public void describe(String name, String value) {
    regions.describe(name, value);
  }

  @Override
  public void relocate(Region region) {
    regions.relocate(region);
  }

  @Override
  public CheckpointTicket checkpoint(long iteration) {
    requireOpen();
    requireLegal(iteration);
    context.interruption().run();
    used = true;
    IterationTimer.Iteration before = timer.end(context.nanoTime().getAsLong());
    if (current.base() == null && !startAfresh()) {
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
    if (ticket.due(Level.DEVICE) && ticket.claimCapture()) {
      if (ticket.inDoubt()) {
        current.skip(ticket, "the group is about to change its cadence");
      } else {
        captures.begin(current, ticket, before);
      }
    }
    timer.begin(context.nanoTime().getAsLong(), current.tickets().onTheWay());
    return ticket;
  }

  /** Before anything changes: an iteration without a legal name would allow no later one. */
  private void requireLegal(long iteration) {
    if (iteration < 0 || iteration > CheckpointId.MAX_NUMBER) {
      throw new IllegalArgumentException(
          "%s: iteration %d: give 0 to %d".formatted(member, iteration, CheckpointId.MAX_NUMBER));
    }
  }

  /** Whether the group agreed to start without restoring; if not, this member cannot checkpoint. */
  private boolean startAfresh() {
    if (!spent) {
      spent = true;
      try {
        resumeFrom(groupRestore().startAfresh());
      } catch (RestoreException e) {
        LOG.error("{} cannot checkpoint", member, e);
      }
    }
    return !spent;
  }

  private CheckpointTicket refused(long iteration) {
    Ticket ticket =
        new Ticket(
            new CheckpointId(member.group(), epoch(), iteration),
            new FollowedCadence.Due(Set.of(), false));
    Outcome failed =
        new Outcome.Failed(
            "the group did not agree on a checkpoint to resume from; restore() tries again");
    for (Level level : Level.values()) {
      ticket.settle(level, failed);
    }
    ticket.capture(failed);
    return ticket;
  }

  /** Opens a ticket, and settles the levels that are not due, or all if the member is fenced. */
  private Ticket open(CheckpointId id) {
    Ticket ticket =
        current.tickets().open(id, current.membership().cadence().reach(id.iteration()));
    String fenced = current.membership().fencedBecause();
    if (fenced != null) {
      current.tickets().fence(fenced);
      return ticket;
    }
    if (!ticket.due(Level.DEVICE) && ticket.claimCapture()) {
      current.tickets().capture(ticket, new Outcome.NotDue(Level.DEVICE));
    }
    for (Level level : Level.values()) {
      if (!ticket.due(level)) {
        current.tickets().settle(id, level, new Outcome.NotDue(level));
      }
    }
    return ticket;
  }

  private GroupRestore groupRestore() {
    return new GroupRestore(
        current.membership(), member, context.planners(), regions, context.start().policy());
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

  /** A state that no capture could ever hold is an error at the start, not a skip for ever. */
  private void requireRoom() {
    captures.ownRoom().ifPresent(this::requireRoom);
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

  private Optional<RestoreReport> restoreWhere(Predicate<CheckpointId> wanted) {
    requireOpen();
    requireRoom();
    if (current.base() != null || spent) {
      rollBack();
    }
    spent = true;
    GroupRestore.Result result = groupRestore().run(wanted);
    resumeFrom(result);
    result
        .report()
        .ifPresent(report -> context.observers().publish(new CairnEvent.Restored(member, report)));
    return result.report();
  }

  /** For a group of one, a request for a checkpoint that does not exist changes nothing. */
  private Optional<RestoreReport> restoreIfAny(Predicate<CheckpointId> wanted) {
    requireOpen();
    return member.size() > 1 || groupRestore().canOffer(wanted)
        ? restoreWhere(wanted)
        : Optional.empty();
  }

  private void resumeFrom(GroupRestore.Result result) {
    timer.interrupt();
    current = current.resumeFrom(result.resume());
    spent = false;
    lastIteration = result.resume().id().map(CheckpointId::iteration).orElse(-1L);
    arrivals.restored();
    if (result.report().isPresent()) {
      used = true;
      dropLeftLine(result.resume().ancestry());
    }
  }

  /** Discards the captures that were taken after the checkpoint that the group restored. */
  private void dropLeftLine(Ancestry line) {
    context.cache().of(member.group(), member.rank()).stream()
        .filter(cached -> !line.contains(cached.id()))
        .forEach(CachedCheckpoint::discard);
  }

  /** Leaves the epoch for a new one; checkpoints of the old epoch on their way are fenced. */
  private void rollBack() {
    captures.awaitLast();
    spent = true;
    current.membership().fence("the group rolled back");
    current.membership().close();
    current = enter();
  }

  /** A cancelled rank does not wait: its group continues without this attempt. */
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
    long end = context.nanoTime().getAsLong() + context.closeTimeout().toNanos();
    captures.awaitLast(context.closeTimeout());
    new OrderlyEnd(context, member, current, this::cancelled, end)
        .keep(arrivals.newest(epoch()), orders);
    current.membership().send(new MemberMessage.Leave(member.rank(), epoch()));
    current.membership().close();
    current.tickets().abandon("the rank was closed before");
    context.sessions().remove(this);
    context
        .sharing()
        .get()
        .filter(sharing -> captures.hasLeased())
        .ifPresent(sharing -> sharing.ended(member, epoch(), lastIteration + 1));
    orders.end();
    if (!used) {
      context.observers().publish(new CairnEvent.Unused(member));
    }
  }
}
