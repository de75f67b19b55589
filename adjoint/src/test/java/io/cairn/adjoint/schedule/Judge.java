package io.cairn.adjoint.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/**
 * Runs a schedule on a model of WORK and tiers, and rejects an action that a program could not do.
 * It counts by itself.
 */
final class Judge {
  private static final long EMPTY = -1;

  private final Schedule schedule;
  private final long steps;
  private final List<Set<Long>> kept = new ArrayList<>();
  private final List<Set<Long>> tapes = new ArrayList<>();
  private final long[] writes;
  private final long[] reads;
  private long work;
  private long end;
  private long reached;
  private long advances;
  private boolean tapeInWork;
  private long runs;
  private boolean forwardEnded;

  private Judge(Schedule schedule, long steps) {
    this.schedule = schedule;
    this.steps = steps;
    end = steps;
    schedule.tiers().forEach(tier -> kept.add(new HashSet<>()));
    schedule.tiers().forEach(tier -> tapes.add(new HashSet<>()));
    writes = new long[kept.size()];
    reads = new long[kept.size()];
  }

  /** The cost of all actions, reversals not counted. */
  static long cost(Schedule schedule, long forwardCost) {
    return judged(schedule, schedule.steps().orElseThrow()).total(forwardCost);
  }

  /** All forward runs, those within reversals included. */
  static long runs(Schedule schedule) {
    return judged(schedule, schedule.steps().orElseThrow()).runs;
  }

  /** The advances of a schedule that is not asked for its steps. */
  static long advances(Schedule schedule, long steps) {
    return judged(schedule, steps).advances;
  }

  private static Judge judged(Schedule schedule, long steps) {
    Judge judge = new Judge(schedule, steps);
    boolean ended = false;
    for (Iterator<Action> actions = schedule.actions(); actions.hasNext(); ) {
      assertThat(ended).as("an action after the end").isFalse();
      Action action = actions.next();
      judge.act(action);
      ended = action instanceof Action.EndReverse;
    }
    assertThat(ended).as("the schedule ends").isTrue();
    return judge;
  }

  private long total(long forwardCost) {
    long total = advances * forwardCost;
    for (int i = 0; i < writes.length; i++) {
      Tier tier = schedule.tiers().get(i);
      total += writes[i] * tier.writeCost() + reads[i] * tier.readCost();
    }
    return total;
  }

  private void act(Action action) {
    if (action instanceof Action.Forward forward) {
      forward(forward);
    } else if (action instanceof Action.Reverse reverse) {
      assertThat(forwardEnded).as("%s after the forward phase", action).isTrue();
      assertThat(reverse.step()).as("next step to reverse").isEqualTo(end - 1).isEqualTo(work);
      runs += tapeInWork ? 0 : 1;
      end--;
      work = EMPTY;
    } else if (action instanceof Action.Copy copy) {
      assertThat(kept.get(copy.tier())).as("%s of what is kept", action).contains(copy.step());
      read(copy.step(), copy.tier());
    } else if (action instanceof Action.Move move) {
      boolean state = kept.get(move.tier()).remove(move.step());
      boolean tape = !state && tapes.get(move.tier()).remove(move.step());
      assertThat(state || tape).as("%s is kept", action).isTrue();
      read(move.step(), move.tier());
      tapeInWork = tape;
    } else if (action instanceof Action.Delete delete) {
      assertThat(kept.get(delete.tier()).remove(delete.step())).as("%s is kept", action).isTrue();
    } else if (action instanceof Action.EndForward) {
      assertThat(reached).as("steps run before the last").isEqualTo(steps - 1);
      assertThat(forwardEnded).as("the forward phase ends once").isFalse();
      forwardEnded = true;
    } else {
      assertThat(end).as("steps not reversed").isZero();
      assertThat(kept).as("states left").allMatch(Set::isEmpty);
      assertThat(tapes).as("tapes left").allMatch(Set::isEmpty);
    }
  }

  private void read(long step, int tier) {
    assertThat(work).as("WORK before a read").isEqualTo(EMPTY);
    work = step;
    tapeInWork = false;
    reads[tier]++;
  }

  private void forward(Action.Forward forward) {
    assertThat(forward.from()).as("state in WORK").isEqualTo(work);
    assertThat(tapeInWork).as("%s from a state", forward).isFalse();
    assertThat(forward.to()).isGreaterThan(forward.from()).isLessThan(end);
    if (forward.restart()) {
      keep(kept, forward.from(), forward.tier());
    }
    for (long step = forward.from(); forward.tape() && step < forward.to(); step++) {
      keep(tapes, step, forward.tier());
    }
    advances += forward.to() - forward.from();
    runs += forward.to() - forward.from();
    work = forward.to();
    reached = Math.max(reached, work);
  }

  private void keep(List<Set<Long>> on, long step, int number) {
    assertThat(on.get(number).add(step)).as("%d is kept once", step).isTrue();
    Tier tier = schedule.tiers().get(number);
    if (!tier.isUnlimited()) {
      assertThat(kept.get(number).size() + tapes.get(number).size())
          .as("slots of %s in use", tier)
          .isLessThanOrEqualTo(tier.slots());
    }
    writes[number]++;
  }
}
