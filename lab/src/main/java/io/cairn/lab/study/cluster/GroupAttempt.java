package io.cairn.lab.study.cluster;

import io.cairn.GroupId;
import io.cairn.Member;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** One attempt at the training of a group, whose ranks start and end together. */
final class GroupAttempt {
  private static final long NEVER = -1;

  private final Turns turns;
  private final TrueHistory ledger;
  private final GroupId group;
  private final long goal;
  private final Runnable atStep;
  private final Runnable atEnd;
  private final List<ExecutorProcess> places;
  private final Set<TrainingRank> running = new HashSet<>();
  private boolean cancelled;
  private boolean failed;
  private final boolean endsAtOnce;
  private final long rollsBackAt;
  private final long beganNanos;
  private boolean stepped;
  private boolean skippedEnd;
  private boolean refused;

  /**
   * An attempt, not begun.
   *
   * @param places the process of each rank
   * @param atStep called at each iteration of each rank
   * @param atEnd called when it succeeded or failed
   */
  GroupAttempt(
      Turns turns,
      TrueHistory ledger,
      GroupId group,
      long goal,
      List<ExecutorProcess> places,
      Runnable atStep,
      Runnable atEnd) {
    this.turns = turns;
    this.ledger = ledger;
    this.group = group;
    this.goal = goal;
    this.places = List.copyOf(places);
    this.rollsBackAt =
        places.get(0).shares() ? turns.random().nextLong(1, Math.max(2, goal)) : NEVER;
    this.atStep = atStep;
    this.atEnd = atEnd;
    this.endsAtOnce = turns.random().nextBoolean();
    this.beganNanos = turns.nowNanos();
  }

  void start() {
    for (int rank = 0; rank < places.size(); rank++) {
      ExecutorProcess place = places.get(rank);
      TrainingRank training =
          new TrainingRank(turns, ledger, place, this, new Member(group, rank, places.size()));
      running.add(training);
      place.actor().start(group.group() + "-" + rank, training);
    }
  }

  long goal() {
    return goal;
  }

  /** The iteration before which each rank restores once what the group has; negative for none. */
  long rollsBackAt() {
    return rollsBackAt;
  }

  /** Whether the loop ends with {@code end} alone; otherwise it captures the last one before. */
  boolean endsAtOnce() {
    return endsAtOnce;
  }

  /** Records whether a capture took place. One that was skipped is not kept by a later end. */
  void kept(boolean captured) {
    skippedEnd |= !captured;
  }

  /** Whether a rank skipped its last iteration. */
  boolean skippedEnd() {
    return skippedEnd;
  }

  /** A rank found nothing that it can restore, although there was something. */
  void refuse() {
    refused = true;
  }

  /** Whether a rank did. */
  boolean refused() {
    return refused;
  }

  boolean cancelled() {
    return cancelled;
  }

  boolean succeeded() {
    return running.isEmpty() && !failed;
  }

  boolean uses(Actor actor) {
    return running.stream().anyMatch(rank -> rank.actor().equals(actor));
  }

  /** Whether it computed anything, with a rank on this machine. */
  boolean trainedOn(SimulatedMachine machine) {
    return stepped && places.stream().anyMatch(process -> process.machine() == machine);
  }

  /** On how many machines it has ranks. */
  int machines() {
    return (int) places.stream().map(ExecutorProcess::machine).distinct().count();
  }

  long beganNanos() {
    return beganNanos;
  }

  void cancel() {
    cancelled = true;
  }

  void stepped() {
    stepped = true;
    atStep.run();
  }

  TrueHistory.Home home(ExecutorProcess process) {
    return new TrueHistory.Home(process.machine().name(), process.machine().losses());
  }

  void ended(TrainingRank rank, String failure) {
    running.remove(rank);
    if (!failure.isEmpty()) {
      turns.note(group.group(), "an attempt fails: " + failure);
      failed = true;
      cancelled = true;
    }
    if (failed || running.isEmpty()) {
      atEnd.run();
    }
  }
}
