package io.cairn.engine.session;

import io.cairn.CairnEvent;
import io.cairn.CheckpointId;
import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.HeldCheckpoint;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.Outcome;
import io.cairn.Region;
import io.cairn.RegionOptions;
import io.cairn.RestoreException;
import io.cairn.RestoreReport;
import io.cairn.cache.capture.ProtectedRegions;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.CheckpointFacts;
import io.cairn.core.model.LevelSpec;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.protocol.Origin;
import io.cairn.core.protocol.Standing;
import io.cairn.engine.coordination.Membership;
import io.cairn.engine.coordination.StoreWait;
import io.cairn.engine.events.Watchdog;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
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

  private static final String CAPTURE = "its capture";

  private static final Outcome NO_AGREEMENT =
      new Outcome.Failed(
          "the group did not agree on a checkpoint to resume from; restore() tries again");

  private final SessionContext context;
  private final Member member;
  private final ProtectedRegions regions;
  private final Arrivals arrivals;
  private final Captures captures;
  private final Orders orders;
  private final IterationTimer timer = new IterationTimer();
  private final Attribution attribution;
  private volatile EpochSession current;
  private volatile boolean joined;
  private final RisingIterations iterations;

  /** The epoch that the levels know of. */
  private long begun;

  /** Of the next checkpoint. */
  private OptionalDouble score = OptionalDouble.empty();

  /** The ticket of the last iteration; null if nothing was computed since a restore. */
  private @Nullable Ticket last;

  /** Whether the last iteration was captured a second time. */
  private boolean repeated;

  /** Whether the training ended with the last iteration. */
  private boolean atEnd;

  /** Whether it ended so with what was restored, since STORE has that. */
  private boolean restoredEnd;

  /** Completes when the checkpoint that {@link #mayWait} allowed last is settled. */
  private CompletableFuture<?> ended = CompletableFuture.completedFuture(null);

  /** Whether this member has agreed once, or failed to: another agreement needs a new epoch. */
  private boolean spent;

  /** Whether anything was restored, or asked to be captured. */
  private boolean used;

  private boolean closed;

  /** Joins the group, waiting until every rank has. */
  public CheckpointSession(SessionContext context, Member member) {
    this.context = context;
    this.member = member;
    this.iterations = new RisingIterations(member);
    this.attribution = new Attribution(context, member);
    this.regions = new ProtectedRegions(context.cache().memory(), context.cache().chunkBytes());
    context.start().describe(regions);
    FallBack fallBack = new FallBack(member, context.observers(), context.nanoTime());
    this.arrivals = new Arrivals(context, member, fallBack);
    this.captures = new Captures(context, member, regions, arrivals, fallBack);
    this.orders = new Orders(member, arrivals);
    // before it enters: a late close of an earlier attempt must not forget what this one learns
    context.sessions().add(this);
    this.current = enterOrLeave();
    this.joined = true;
  }

  private EpochSession enterOrLeave() {
    try {
      return during("its join", this::enter);
    } catch (RuntimeException | Error e) {
      attribution.abandon();
      leaveLevels(false);
      throw e;
    }
  }

  /** Whether the rank has joined its group; until then nothing else may be asked of it. */
  public boolean hasJoined() {
    return joined;
  }

  /** The last iteration of this epoch; -1 before the first. Thread-safe. */
  public long newest() {
    return current.tickets().newest();
  }

  /** By level, how long the oldest checkpoint has waited that is due there. Thread-safe. */
  public Map<Level, Long> waitingNanos() {
    return current.tickets().waitingNanos();
  }

  private <T> T during(String name, Supplier<T> work) {
    return context.watchdog().during(member, name, work);
  }

  private Origin origin() {
    Origin origin = new Arrival(context, member).origin();
    attribution.findSign();
    return origin;
  }

  private EpochSession enter() {
    Tickets tickets = new Tickets(context, member);
    Membership entered =
        new Membership(
            context.coordination(),
            member,
            origin(),
            this::requireWanted,
            attribution.waits(),
            context.joinTimeout(),
            context.nanoTime(),
            message -> receive(message, tickets));
    attribution.joined(entered.epoch());
    boolean unused = begin(entered);
    return new EpochSession(member.rank(), entered, tickets, null);
  }

  private void receive(CoordinatorMessage message, Tickets tickets) {
    if (message instanceof CoordinatorMessage.Claimed) {
      context.atDevice().claimed(member);
    } else {
      orders.receive(message, tickets, () -> current);
    }
  }

  /**
   * Tells the levels once of each epoch.
   *
   * @return whether copies at DEVICE were dropped, which do not count in this epoch
   */
  private boolean begin(Membership entered) {
    Standing standing = entered.standing();
    if (entered.epoch() != begun) {
      begun = entered.epoch();
      context.promotion().begin(member, begun, standing.claimed());
    }
    return context.atDevice().joined(member, standing);
  }

  /** Ends the wait for a group whose checkpoints nobody will take. */
  private void requireWanted() {
    context.interruption().run();
    if (context.closing().getAsBoolean()) {
      throw new CancellationException(member + " waited for its group when its process closed");
    }
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
  public void protect(Region region, RegionOptions options) {
    regions.protect(region, context.regions().over(region.name(), options));
    arrivals.watch(region);
  }

  @Override
  public void describe(String name, String value, Predicate<String> same) {
    regions.describe(name, value, same);
  }

  @Override
  public void relocate(Region region) {
    regions.relocate(region);
  }

  @Override
  public void score(double ofNext) {
    score = OptionalDouble.of(ofNext);
  }

  @Override
  public CheckpointTicket checkpoint(long iteration) {
    return take(iteration, Captures.Mode.NOW);
  }

  @Override
  public CheckpointTicket checkpointBeside(long iteration) {
    return take(iteration, Captures.Mode.BESIDE);
  }

  @Override
  public void awaitCaptured() {
    awaitCaptured(Beside::await);
  }

  @Override
  public void awaitCaptured(String region) {
    awaitCaptured(beside -> beside.await(region));
  }

  private void awaitCaptured(ToLongFunction<Beside> waiting) {
    Watchdog.Work work = context.watchdog().begin(member, CAPTURE);
    try {
      captures
          .beside()
          .ifPresentOrElse(beside -> waited(waiting.applyAsLong(beside)), this::awaitLastCaptured);
    } finally {
      work.close();
    }
  }

  private void waited(long nanos) {
    timer.waited(nanos);
    attribution.waited(nanos);
  }

  private void awaitLastCaptured() {
    Ticket latest = last;
    if (latest != null) {
      latest.captured().join();
    }
  }

  @Override
  public CheckpointTicket end(long iteration) {
    requireOpen();
    iterations.requireLegal(iteration);
    Ticket latest = last;
    if (iteration == iterations.last() && (latest == null ? isAtStore() : isKept(latest))) {
      if (latest != null && mayWait(latest)) {
        captures.awaitLast(context.closeTimeout());
        boolean unused = arrivals.ending(latest.id());
      }
      score = OptionalDouble.empty();
      released();
      attribution.ending();
      atEnd = true;
      restoredEnd = latest == null;
      return latest == null ? Ticket.closed(id(iteration), Outcome.NotDue::new) : latest;
    }
    return take(iteration, Captures.Mode.ENDING);
  }

  /**
   * Whether the group has the last iteration at some level, or this rank can report it once more.
   * Waits for the group's outcome at DEVICE, and if it is bad, at all levels: ranks capture an
   * iteration again only if all of them do.
   */
  private boolean isKept(Ticket latest) {
    if (!latest.due(Level.DEVICE)) {
      return false;
    }
    captures.beside().ifPresent(capture -> capture.await(context.closeTimeout()));
    Membership now = current.membership();
    TrainingPatience patience = TrainingPatience.of(context, member, now, context.closeTimeout());
    boolean known = patience.await(latest.sealed(Level.DEVICE));
    if (known && !latest.isSealed(Level.DEVICE)) {
      known = patience.await(latest.settled());
    }
    if (!known || repeated || now.fencedBecause() != null || latest.isSealed()) {
      return true;
    }
    if (latest.captured().isDone() && !latest.isCaptured()) {
      return false; // an earlier capture may still be under way
    }
    captures.awaitLast(context.closeTimeout()); // it may be copied, and not have landed yet
    return member.size() > 1
        && latest.isCaptured()
        && arrivals.ending(latest.id())
        && reportAgain(latest);
  }

  private boolean reportAgain(Ticket latest) {
    repeated = true;
    current.again(latest);
    return true;
  }

  /** Whether STORE holds what was restored, and nothing was computed since. */
  private boolean isAtStore() {
    Loading loading = new Loading(context, member, regions);
    return current
        .agreed()
        .id()
        .filter(base -> loading.isAt(base, LevelSpec.committed()))
        .isPresent();
  }

  private Ticket take(long iteration, Captures.Mode mode) {
    return during(CAPTURE, () -> takeNow(iteration, mode));
  }

  private Ticket takeNow(long iteration, Captures.Mode mode) {
    boolean ending = mode == Captures.Mode.ENDING;
    requireOpen();
    iterations.requireLegal(iteration);
    Ticket first = ending && iteration == iterations.last() ? last : null;
    if (first != null && !first.due(Level.DEVICE)) {
      first = null; // the group knows nothing of it
    }
    CheckpointFacts facts =
        first != null && score.isEmpty() ? first.facts() : CheckpointFacts.scored(score);
    score = OptionalDouble.empty();
    context.interruption().run();
    used = true;
    IterationTimer.Iteration before = timer.end(context.nanoTime().getAsLong());
    attribution.computed(before, iteration);
    captures.overtaken();
    if (current.base() == null && !beganAfresh()) {
      return Ticket.closed(id(iteration), level -> NO_AGREEMENT);
    }
    iterations.advance(iteration, ending, epoch());
    arrivals.goesOn();
    if (first != null) {
      current.takeBack(first);
    }
    Ticket ticket =
        ending
            ? current.openAt(id(iteration), context.promotion().levels())
            : current.open(id(iteration));
    last = ticket;
    repeated = first != null;
    atEnd = ending;
    restoredEnd = false;
    if (ending) {
      attribution.ending();
    }
    ticket.describe(facts, attribution.entries(current.membership().learned()));
    if (ticket.due(Level.DEVICE) && ticket.claimCapture()) {
      if (ticket.inDoubt()) {
        current.skip(ticket, "the group is about to change its cadence");
      } else {
        captures.begin(current, ticket, before, begins(mode, ticket));
      }
    }
    timer.begin(released(), current.tickets().onTheWay());
    return ticket;
  }

  /** The training continues after a checkpoint; returns the present. */
  private long released() {
    long now = context.nanoTime().getAsLong();
    attribution.released(now, current.membership().fencedBecause() == null);
    return now;
  }

  private Captures.Mode begins(Captures.Mode asked, Ticket ticket) {
    return asked == Captures.Mode.ENDING && !mayWait(ticket) ? Captures.Mode.ENDING_AGAIN : asked;
  }

  /** One last checkpoint at a time may exceed the bound of the queues. */
  private boolean mayWait(Ticket ticket) {
    boolean alone = ended.isDone();
    if (alone) {
      ended = ticket.settled();
    }
    return alone;
  }

  private CheckpointId id(long iteration) {
    return new CheckpointId(member.group(), epoch(), iteration);
  }

  /** Whether the group agreed to start without restoring; if not, this member cannot checkpoint. */
  private boolean beganAfresh() {
    if (!spent) {
      spent = true;
      try {
        resumeFrom(groupRestore().startAfresh());
        attribution.startedAfresh();
      } catch (RestoreException e) {
        LOG.error("{} cannot checkpoint", member, e);
      }
    }
    return !spent;
  }

  private GroupRestore groupRestore() {
    return new GroupRestore(
        current.membership(),
        member,
        context.planners(),
        regions,
        context.start(),
        new SlotLanding(context.cache()),
        () -> new StoreWait(member.toString(), context.storePatience(), context.nanoTime()),
        epoch -> begin(current.membership()),
        context.nanoTime());
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

  @Override
  public void startAfresh() {
    requireOpen();
    if (current.base() != null || spent) {
      throw new IllegalStateException(member + " has restored or captured already");
    }
    spent = true;
    resumeFrom(during("its agreement on a start", groupRestore()::startAfreshOnPurpose));
    attribution.startedAfresh();
  }

  @Override
  public List<HeldCheckpoint> checkpoints() {
    requireOpen();
    return new Loading(context, member, regions).checkpoints();
  }

  @Override
  public Optional<RestoreReport> load(CheckpointId id, Region... into) {
    requireOpen();
    captures.awaitLast();
    return new Loading(context, member, regions).load(id, List.of(into));
  }

  private Optional<RestoreReport> restoreWhere(Predicate<CheckpointId> wanted) {
    return during("its agreement on a restore", () -> restoreNow(wanted));
  }

  private Optional<RestoreReport> restoreNow(Predicate<CheckpointId> wanted) {
    requireOpen();
    boolean before = used;
    used = true; // a rank whose restore is refused says so by the exception
    captures.requireRoom();
    attribution.restoring();
    if (current.base() != null || spent) {
      rollBack();
    }
    spent = true;
    GroupRestore.Result result = groupRestore().run(wanted);
    used = before;
    resumeFrom(result);
    long iteration = result.resume().id().map(CheckpointId::iteration).orElse(-1L);
    attribution.resumed(iteration, result.written());
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
    iterations.restart(result.resume().id().map(CheckpointId::iteration).orElse(-1L));
    score = OptionalDouble.empty();
    last = null;
    repeated = false;
    atEnd = false;
    restoredEnd = false;
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
    attribution.closing();
    boolean kept = false;
    try {
      long end = context.nanoTime().getAsLong() + context.closeTimeout().toNanos();
      captures.end(context.closeTimeout());
      OptionalLong ended = atEnd ? OptionalLong.of(iterations.last()) : OptionalLong.empty();
      kept =
          new OrderlyEnd(context, member, current, end, ended, restoredEnd).keep(arrivals, orders);
    } finally {
      leave(kept); // else its group would count on a rank that is gone
    }
  }

  private void leave(boolean kept) {
    if (current.base() == null) {
      current.membership().withdraw(false); // a later epoch may begin for it meanwhile
    } else {
      current.membership().send(new MemberMessage.Leave(member.rank(), epoch()));
    }
    current.membership().close();
    current.tickets().abandon("the rank was closed before");
    leaveLevels(kept);
    captures.left();
    context
        .sharing()
        .get()
        .filter(sharing -> captures.hasLeased())
        .ifPresent(sharing -> sharing.ended(member, epoch(), iterations.last() + 1));
    orders.end();
    attribution.closed(current.membership().fencedBecause() == null);
    if (!used) {
      context.observers().publish(new CairnEvent.Unused(member));
    }
  }

  /** The last rank of a group in this process ends what the levels know of it. */
  private void leaveLevels(boolean kept) {
    context.sessions().remove(this);
    if (context.sessions().stream().anyMatch(one -> one.member.group().equals(member.group()))) {
      return;
    }
    context
        .promotion()
        .left(member.group(), kept ? OptionalLong.of(epoch()) : OptionalLong.empty());
  }
}
