package io.cairn.adjoint;

import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.Region;
import io.cairn.adjoint.history.History;
import io.cairn.adjoint.history.HistoryException;
import io.cairn.adjoint.history.RegionSet;
import io.cairn.adjoint.schedule.Action;
import io.cairn.adjoint.schedule.Schedule;
import java.time.Duration;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One run of a program, with all attempts that a group makes of it. */
final class ProgramRun {
  private static final Logger LOG = LoggerFactory.getLogger(ProgramRun.class);

  private static final int MOST_DESCRIBED = 10_000;

  private final AdjointProgram program;
  private final Function<LongPredicate, Schedule> schedules;
  private final History history;
  private final Checkpointer checkpointer;
  private final long callsPerSeal;
  private final RunProgress progress = new RunProgress();
  private final RegionSet restart;
  private final RegionSet read;
  private final SealedStates sealed;
  private final Recovery recovery;
  private final InitialAdjoint initial;

  /** Whether an attempt was made. */
  private boolean begun;

  private boolean forwardEnded;
  private long resumedAt;
  private long steps;
  private long recomputed;
  private long reversals;
  private final long start = System.nanoTime();
  private long forwardEnd = start;

  ProgramRun(
      AdjointProgram program,
      Function<LongPredicate, Schedule> schedules,
      History history,
      Checkpointer checkpointer,
      long callsPerSeal) {
    this.program = program;
    this.schedules = schedules;
    this.history = history;
    this.checkpointer = checkpointer;
    this.callsPerSeal = callsPerSeal;
    restart = regions(program.restart());
    read = history.regions();
    program.read().forEach(region -> read.protect(region, () -> program.readBytes(region.name())));
    sealed = new SealedStates(history, restart);
    recovery = new Recovery(program, history, restart, read, sealed, isAlone());
    initial = new InitialAdjoint(program);
  }

  private boolean isAlone() {
    return checkpointer.member().size() == 1;
  }

  private RegionSet regions(List<Region> all) {
    RegionSet set = history.regions();
    all.forEach(set::protect);
    return set;
  }

  AdjointReport complete() {
    protect();
    history.discard(StateId.restart(0));
    sealed.keep(0, Set.of());
    while (!attempt() || !end()) {
      // Another rank was lost: the group goes on from its newest checkpoint.
    }
    for (long id : history.steps()) {
      history.discard(id);
    }
    long end = System.nanoTime();
    return new AdjointReport(
        resumedAt,
        steps,
        recomputed,
        reversals,
        Duration.ofNanos(forwardEnd - start),
        Duration.ofNanos(end - forwardEnd));
  }

  /** False if another rank was lost: it needs this one. A rank alone has its result. */
  private boolean end() {
    CheckpointTicket ticket = checkpointer.end(progress.calls());
    return isAlone() || !isFenced(ticket);
  }

  private void protect() {
    Map<String, Region> all = new LinkedHashMap<>();
    Stream.concat(program.restart().stream(), program.adjoint().stream())
        .forEach(region -> all.putIfAbsent(region.name(), region));
    all.values().forEach(checkpointer::protect);
    checkpointer.protect(progress.region());
    Schedule schedule = schedules.apply(step -> false);
    checkpointer.describe("schedule", describe(schedule));
    expect(schedule);
  }

  /**
   * Its first actions tell schedules of one kind apart; one that asks for its end has only tiers.
   */
  private static String describe(Schedule schedule) {
    int sum = schedule.tiers().toString().hashCode();
    if (schedule.steps().isPresent()) {
      Iterator<Action> actions = schedule.actions();
      for (int i = 0; i < MOST_DESCRIBED && actions.hasNext(); i++) {
        sum = 31 * sum + actions.next().toString().hashCode();
      }
    }
    return String.format(
        Locale.ROOT, "%s %s %08x", schedule.getClass().getSimpleName(), schedule.steps(), sum);
  }

  private void expect(Schedule schedule) {
    long slots = 0;
    for (var tier : schedule.tiers()) {
      slots += tier.slots() < 0 ? schedule.steps().orElse(0) : tier.slots();
    }
    history.expect(slots, read.bytes());
  }

  /** Goes from the newest checkpoint to the end; false if another rank was lost on the way. */
  private boolean attempt() {
    Course course = new Course(schedules.apply(this::isLast));
    boolean resumed = checkpointer.restore().isPresent();
    long done = resumed ? progress.calls() : 0;
    if (resumed) {
      program.restored();
      history.takeOver(progress.run());
    } else {
      startAfresh();
    }
    begun = true;
    resumedAt = Math.max(resumedAt, done);
    replay(course, done);
    Set<Long> kept = course.kept();
    if (resumed && course.hasNext()) {
      countAgain(recovery.restore(kept, latest(kept)));
    }
    while (course.hasNext()) {
      if (!perform(course.next(), course)) {
        return false;
      }
    }
    return true;
  }

  private void startAfresh() {
    progress.startAfresh();
    if (begun) {
      initial.bringBack();
    }
    recovery.startAfresh(progress.run());
  }

  private void countAgain(long again) {
    recomputed += again;
    steps += again;
  }

  private boolean isLast(long step) {
    return progress.isLast(step, program::isLast);
  }

  /** Passes over the moves that were done. */
  private void replay(Course course, long done) {
    forwardEnded = false;
    for (long calls = 0; calls < done; ) {
      Move move = course.next();
      if (move instanceof Move.Run || move instanceof Move.Reverse) {
        calls++;
      }
      forwardEnded |= move instanceof Move.EndForward;
    }
  }

  /** False if another rank was lost. */
  private boolean perform(Move move, Course course) {
    if (move instanceof Move.Run run) {
      program.step(run.step());
      steps++;
      return called(run.step() + 1, course);
    } else if (move instanceof Move.Reverse reverse) {
      program.reverse(reverse.step());
      reversals++;
      return called(-1, course);
    } else if (move instanceof Move.Keep keep) {
      history.store(keep.id(), regionsOf(keep.id()));
    } else if (move instanceof Move.Bring bring) {
      bring(bring.id(), bring.last() && !isSealed(bring.id()), course);
    } else if (move instanceof Move.Drop drop && !isSealed(drop.id())) {
      history.discard(drop.id());
    } else if (move instanceof Move.EndForward) {
      forwardEnded = true;
      forwardEnd = System.nanoTime();
    }
    return true;
  }

  /** A rank alone computes a state again that cannot be read; a group does so after a restart. */
  private void bring(long id, boolean last, Course course) {
    try {
      recovery.bring(id, last);
    } catch (HistoryException e) {
      if (!recovery.computesAgain()) {
        recovery.forget(id, e);
        throw e;
      }
      LOG.warn("a state is lost, and computed again", e);
      history.discard(id);
      Set<Long> needed = new HashSet<>(course.kept());
      needed.add(id);
      countAgain(recovery.restore(needed, latest(needed)));
      recovery.bring(id, last);
    }
  }

  /** In the backward phase no state is computed again but for those that are needed now. */
  private long latest(Set<Long> needed) {
    return forwardEnded ? needed.stream().mapToLong(StateId::step).max().orElse(0) : Long.MAX_VALUE;
  }

  private RegionSet regionsOf(long id) {
    return StateId.isTape(id) ? read : restart;
  }

  private boolean isSealed(long id) {
    return !StateId.isTape(id) && sealed.contains(StateId.step(id));
  }

  private boolean called(long state, Course course) {
    progress.called();
    if (progress.calls() % callsPerSeal != 0) {
      return true;
    }
    if (!forwardEnded && state > 0) {
      sealed.keep(state, course.kept());
    }
    long mark = history.mark();
    CheckpointTicket ticket = checkpointer.checkpoint(progress.calls());
    for (Level level : List.of(Level.NODE, Level.STORE)) {
      var unused = ticket.sealed(level).thenAccept(outcome -> passed(outcome, mark));
    }
    return !isFenced(ticket);
  }

  /** Whether the group has begun a later epoch. */
  private static boolean isFenced(CheckpointTicket ticket) {
    return ticket.captured().join() instanceof Outcome.Fenced;
  }

  private void passed(Outcome outcome, long mark) {
    if (outcome instanceof Outcome.Sealed) {
      initial.forget();
      history.passed(mark);
    }
  }
}
