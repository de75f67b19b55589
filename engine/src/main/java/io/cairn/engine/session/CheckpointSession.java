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
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.protocol.Standing;
import io.cairn.engine.coordination.Membership;
import io.cairn.engine.coordination.StoreWait;
import io.cairn.engine.events.Watchdog;
import io.cairn.engine.session.Timing.Iteration;
import io.cairn.engine.session.Timing.Timer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
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

  private static final Outcome CLOSES = new Outcome.Failed("its process closes");

  private final SessionContext context;
  private final Member member;
  private final ProtectedRegions regions;
  private final Loading loading;
  private final Arrivals arrivals;
  private final Captures captures;
  private final Timer timer = new Timer();
  private final Attribution attribution;
  private volatile EpochSession current;
  private volatile boolean joined;
  private final LastIteration last;

  /** The epoch that the levels know of. */
  private long begun;

  /** Of the next checkpoint. */
  private OptionalDouble score = OptionalDouble.empty();

  /** Whether this member has agreed once, or failed to: another agreement needs a new epoch. */
  private boolean spent;

  /** Whether anything was restored, or asked to be captured. */
  private boolean used;

  private boolean closed;

  /** Joins the group, waiting until every rank has. */
  public CheckpointSession(SessionContext context, Member member) {
    this.context = context;
    this.member = member;
    this.attribution = new Attribution(context, member);
    this.regions = new ProtectedRegions(context.cache().memory(), context.cache().chunkBytes());
    this.loading = new Loading(context, member, regions);
    context.start().describe(regions);
    FallBack fallBack = new FallBack(member, context.observers(), context.nanoTime());
    this.arrivals = new Arrivals(context, member, fallBack);
    this.captures = new Captures(context, member, regions, arrivals, fallBack);
    this.last = new LastIteration(context, member, loading, captures, arrivals);
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

  /**
   * The last iteration of this epoch, -1 before the first, and by level, how long the oldest
   * checkpoint has waited that is due there. Thread-safe.
   */
  public <T> T running(BiFunction<Long, Map<Level, Long>, T> of) {
    Tickets tickets = current.tickets(); // a rollback may begin another epoch meanwhile
    return of.apply(tickets.newest(), tickets.waitingNanos());
  }

  private <T> T during(String name, Supplier<T> work) {
    return context.watchdog().during(member, name, work);
  }

  private EpochSession enter() {
    EpochSession entered = EpochSession.enter(context, member, attribution, this::receive);
    boolean unused = begin(entered.membership());
    return entered;
  }

  private void receive(CoordinatorMessage message, Tickets tickets) {
    if (message instanceof CoordinatorMessage.Claimed) {
      context.atDevice().claimed(member);
    } else {
      arrivals.receive(message, tickets, () -> current);
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

  /**
   * Reports that this process is about to end, so that the group rescues its newest checkpoint.
   * Thread-safe.
   *
   * @return completes when the rescued checkpoint is on its way, or there is none; never completes
   *     if the coordinator does not answer
   */
  public CompletableFuture<@Nullable Void> endangered() {
    Membership now = current.membership();
    return arrivals.ask(now, new MemberMessage.Endangered(member.rank(), now.epoch()));
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
    last.ticket().ifPresent(latest -> latest.captured().join());
  }

  @Override
  public CheckpointTicket end(long iteration) {
    requireOpen();
    last.requireLegal(iteration);
    if (last.mayEndAt(iteration, current)) {
      Optional<Ticket> kept = last.end();
      score = OptionalDouble.empty();
      released();
      attribution.ending();
      return kept.orElseGet(() -> Ticket.closed(id(iteration), Outcome.NotDue::new));
    }
    return take(iteration, Captures.Mode.ENDING);
  }

  private Ticket take(long iteration, Captures.Mode mode) {
    return during(CAPTURE, () -> takeNow(iteration, mode));
  }

  private Ticket takeNow(long iteration, Captures.Mode mode) {
    boolean ending = mode == Captures.Mode.ENDING;
    requireOpen();
    last.requireLegal(iteration);
    Optional<Ticket> first = ending ? last.toRepeat(iteration) : Optional.empty();
    CheckpointFacts facts =
        first
            .filter(it -> score.isEmpty())
            .map(Ticket::facts)
            .orElse(CheckpointFacts.scored(score));
    score = OptionalDouble.empty();
    context.interruption().run();
    used = true;
    Iteration before = timer.end(context.nanoTime().getAsLong());
    attribution.computed(before, iteration);
    captures.overtaken();
    if (context.closing().getAsBoolean()) {
      return refused(iteration, CLOSES);
    }
    if (current.base() == null && !beganAfresh()) {
      String fenced = current.membership().fencedBecause();
      return refused(iteration, fenced == null ? NO_AGREEMENT : new Outcome.Fenced(fenced));
    }
    last.advance(iteration, ending, epoch());
    arrivals.goesOn();
    first.ifPresent(current::takeBack);
    Ticket ticket =
        ending
            ? current.openAt(id(iteration), context.promotion().levels(), first)
            : current.open(id(iteration));
    last.taken(ticket, first.isPresent(), ending);
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

  /** A checkpoint that nothing captures; it counts like one that failed later. */
  private Ticket refused(long iteration, Outcome outcome) {
    CheckpointId id = id(iteration);
    Set<Level> below = context.promotion().levels();
    Set<Level> due =
        current.base() == null
            ? Level.where(level -> level == Level.DEVICE || below.contains(level))
            : current.membership().cadence().reach(iteration).levels();
    for (Level level : due) {
      context.observers().publish(new CairnEvent.Settled(id, member, level, outcome));
    }
    return Ticket.closed(id, level -> outcome);
  }

  /** The training continues after a checkpoint; returns the present. */
  private long released() {
    long now = context.nanoTime().getAsLong();
    attribution.released(now, current.membership().fencedBecause() == null);
    return now;
  }

  private Captures.Mode begins(Captures.Mode asked, Ticket ticket) {
    return asked == Captures.Mode.ENDING && !last.mayWait(ticket)
        ? Captures.Mode.ENDING_AGAIN
        : asked;
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
    return loading.checkpoints();
  }

  @Override
  public Optional<RestoreReport> load(CheckpointId id, Region... into) {
    requireOpen();
    captures.awaitLast();
    return loading.load(id, List.of(into));
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
    last.restart(result.resume().id().map(CheckpointId::iteration).orElse(-1L));
    score = OptionalDouble.empty();
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
      kept = last.keep(current, end);
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
        .ifPresent(sharing -> sharing.ended(member, epoch(), last.iteration() + 1));
    arrivals.answered();
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
