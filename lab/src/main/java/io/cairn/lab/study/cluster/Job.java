package io.cairn.lab.study.cluster;

import io.cairn.GroupId;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One group of a job, whose attempts are started until one succeeds. */
final class Job {
  private static final int RETRY_NANOS = 300_000_000;

  private final Turns turns;
  private final TrueHistory ledger;
  private final Supplier<List<ExecutorProcess>> cluster;
  private final RankPlacement placement;
  private final GroupId group;
  private final int size;
  private final long goal;
  private @Nullable GroupAttempt current;
  private boolean planned;
  private boolean done;
  private boolean refused;
  private int computed;
  private @Nullable GroupAttempt succeeded;

  /** A group of {@code size} ranks that trains {@code goal} iterations. */
  Job(
      Turns turns,
      TrueHistory ledger,
      Supplier<List<ExecutorProcess>> cluster,
      RankPlacement placement,
      GroupId group,
      int size,
      long goal) {
    this.turns = turns;
    this.ledger = ledger;
    this.cluster = cluster;
    this.placement = placement;
    this.group = group;
    this.size = size;
    this.goal = goal;
  }

  GroupId group() {
    return group;
  }

  boolean done() {
    return done;
  }

  /** Whether the attempt that succeeded skipped its last iteration. */
  boolean skippedEnd() {
    return succeeded != null && succeeded.skippedEnd();
  }

  /** Whether the last attempt refused to train, and was right. */
  boolean refused() {
    return refused;
  }

  /** The iterations that its ranks computed since {@link #again()}. */
  int computed() {
    return computed;
  }

  /** Whether the attempt that succeeded began at a time or later. */
  boolean trainedSince(long nanos) {
    GroupAttempt last = succeeded;
    return last != null && last.beganNanos() >= nanos;
  }

  /** Likewise, and trained on a machine. */
  boolean trainedOn(SimulatedMachine machine, long sinceNanos) {
    GroupAttempt last = succeeded;
    return last != null && trainedSince(sinceNanos) && last.trainedOn(machine);
  }

  /** On how many machines its present attempt has ranks. */
  int machines() {
    GroupAttempt attempt = current;
    return attempt == null ? 0 : attempt.machines();
  }

  /** Starts an attempt soon, unless one is planned already. */
  void startSoon() {
    if (!planned && !done) {
      planned = true;
      turns.after(null, 1 + turns.random().nextLong(RETRY_NANOS), this::start);
    }
  }

  private void start() {
    planned = false;
    List<ExecutorProcess> living =
        cluster.get().stream().filter(process -> process.actor().alive()).toList();
    if (done) {
      return;
    }
    List<ExecutorProcess> places =
        living.isEmpty() ? List.of() : placement.of(living, size, turns.random());
    if (places.isEmpty()) {
      startSoon();
      return;
    }
    GroupAttempt[] begun = new GroupAttempt[1];
    GroupAttempt attempt =
        new GroupAttempt(
            turns, ledger, group, goal, places, () -> computed++, () -> ended(begun[0]));
    begun[0] = attempt;
    current = attempt;
    turns.note(
        group.group(), "starts on " + places.stream().map(each -> each.actor().name()).toList());
    attempt.start();
  }

  private void ended(GroupAttempt attempt) {
    if (attempt.succeeded()) {
      done = true;
      refused = false;
      succeeded = attempt;
    } else if (attempt == current) {
      refused = attempt.refused() && ledger.mayRefuse(group);
      done = refused; // its user would give up, too
      startSoon();
    }
  }

  /** A process died: an attempt that used it is given up, and another one starts. */
  void lost(Actor actor) {
    GroupAttempt attempt = current;
    if (attempt != null && attempt.uses(actor)) {
      attempt.cancel();
      startSoon();
    }
  }

  /** Gives the attempt up although nothing is wrong with it. */
  void cancel() {
    GroupAttempt attempt = current;
    if (attempt != null) {
      attempt.cancel();
    }
  }

  /** Trains a goal that was reached again, as a program does that is run a second time. */
  void again() {
    done = false;
    computed = 0;
    startSoon();
  }
}
