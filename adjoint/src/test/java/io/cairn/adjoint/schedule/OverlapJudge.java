package io.cairn.adjoint.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/**
 * Performs the actions of an overlapped schedule, with links that work beside the program, event by
 * event. It knows the rules of the links, and no layout. It rejects more states than a tier has
 * slots.
 */
final class OverlapJudge {
  private final List<Tier> tiers;
  private final int spare;
  private final long forward;
  private final long backward;
  private final List<Link> links = new ArrayList<>();

  /** On tier 0: kept in the forward phase, or on the way from or to a lower tier. */
  private final Set<Long> keptAbove = new HashSet<>();

  /** On tier 0: stored again in the backward phase. */
  private final Set<Long> again = new HashSet<>();

  /** All states that come up, in the order of their first reads. */
  private final Deque<Long> toPromise = new ArrayDeque<>();

  /** Those which have a slot of tier 0, and wait for their link. */
  private final Set<Long> promised = new HashSet<>();

  private boolean isBackward;
  private long now;

  private OverlapJudge(OverlappedSchedule schedule, long forward, long backward) {
    tiers = schedule.tiers();
    spare = schedule.spare();
    this.forward = forward;
    this.backward = backward;
    for (int tier = 1; tier < tiers.size(); tier++) {
      links.add(new Link(tier));
    }
  }

  static long time(OverlappedSchedule schedule, long forward, long backward) {
    OverlapJudge judge = new OverlapJudge(schedule, forward, backward);
    judge.readOrder(schedule);
    for (Iterator<Action> actions = schedule.actions(); actions.hasNext(); ) {
      judge.act(actions.next());
    }
    assertThat(judge.keptAbove).as("states left").isEmpty();
    assertThat(judge.again).as("states left").isEmpty();
    return judge.now;
  }

  /** Both directions between tier 0 and a tier. */
  private final class Link {
    private final Tier tier;
    private final Deque<Long> toGo = new ArrayDeque<>();
    private final Deque<Long> toCome = new ArrayDeque<>();
    private final Set<Long> there = new HashSet<>();
    private final Set<Long> came = new HashSet<>();
    private long goingUntil = -1;
    private long comingUntil = -1;

    Link(int number) {
      tier = tiers.get(number);
    }

    /** Begins and ends what can at this moment; whether anything did. */
    boolean turn() {
      boolean turned = false;
      if (goingUntil == now) {
        long gone = toGo.remove();
        there.add(gone);
        keptAbove.remove(gone);
        goingUntil = -1;
        turned = true;
      }
      if (comingUntil == now) {
        came.add(toCome.remove());
        comingUntil = -1;
        turned = true;
      }
      if (goingUntil < 0 && !toGo.isEmpty()) {
        goingUntil = now + tier.writeCost();
        turned = true;
        assertThat(tier.isUnlimited() || there.size() < tier.slots())
            .as("a slot of %s for state %d", tier, toGo.element())
            .isTrue();
      }
      if (comingUntil < 0 && mayCome()) {
        promised.remove(toCome.element());
        there.remove(toCome.element());
        keptAbove.add(toCome.element());
        comingUntil = now + tier.readCost();
        turned = true;
      }
      return turned;
    }

    private boolean mayCome() {
      return !toCome.isEmpty()
          && there.contains(toCome.element())
          && promised.contains(toCome.element());
    }

    long next() {
      long next = goingUntil < 0 ? Long.MAX_VALUE : goingUntil;
      return comingUntil < 0 ? next : Math.min(next, comingUntil);
    }
  }

  /** Each state comes up once, before the first of its reads. */
  private void readOrder(OverlappedSchedule schedule) {
    Set<Long> seen = new HashSet<>();
    schedule
        .actions()
        .forEachRemaining(
            action -> {
              if (action instanceof Action.Copy copy) {
                comes(copy.step(), copy.tier(), seen);
              } else if (action instanceof Action.Move move) {
                comes(move.step(), move.tier(), seen);
              }
            });
  }

  private void comes(long state, int tier, Set<Long> seen) {
    if (tier > 0 && seen.add(state)) {
      links.get(tier - 1).toCome.add(state);
      toPromise.add(state);
    }
  }

  private void act(Action action) {
    if (action instanceof Action.Forward run) {
      if (run.restart()) {
        store(run.from(), run.tier());
      }
      spend(forward * (run.to() - run.from()));
    } else if (action instanceof Action.EndForward) {
      isBackward = true;
      turnAll();
    } else if (action instanceof Action.Copy copy) {
      read(copy.step(), copy.tier());
    } else if (action instanceof Action.Move move) {
      read(move.step(), move.tier());
      keptAbove.remove(move.step());
      again.remove(move.step());
      turnAll();
    } else if (action instanceof Action.Reverse) {
      spend(backward);
    }
  }

  private void store(long state, int tier) {
    while (keptAbove.size() + again.size() == tiers.get(0).slots()) {
      awaitNext("a slot for state " + state);
    }
    assertThat((isBackward ? again : keptAbove).add(state)).isTrue();
    spend(tiers.get(0).writeCost());
    if (tier > 0) {
      links.get(tier - 1).toGo.add(state);
      turnAll();
    }
  }

  private void read(long state, int tier) {
    while (tier > 0 && !links.get(tier - 1).came.contains(state)) {
      awaitNext("state " + state);
    }
    assertThat(keptAbove.contains(state) || again.contains(state)).as("state %d", state).isTrue();
    spend(tiers.get(0).readCost());
  }

  private void awaitNext(String what) {
    long next = links.stream().mapToLong(Link::next).min().orElse(Long.MAX_VALUE);
    assertThat(next).as("the program waits for %s for ever", what).isLessThan(Long.MAX_VALUE);
    spend(next - now);
  }

  /** Lets time pass. */
  private void spend(long span) {
    long end = now + span;
    for (long next = nextUntil(end); ; next = nextUntil(end)) {
      now = next;
      turnAll();
      if (now == end && nextUntil(end) == end) {
        break;
      }
    }
  }

  private long nextUntil(long end) {
    return Math.min(end, links.stream().mapToLong(Link::next).min().orElse(Long.MAX_VALUE));
  }

  private void turnAll() {
    boolean turned = true;
    while (turned) {
      turned = false;
      while (isBackward
          && !toPromise.isEmpty()
          && keptAbove.size() + promised.size() + spare < tiers.get(0).slots()) {
        promised.add(toPromise.remove());
      }
      for (Link link : links) {
        turned |= link.turn();
      }
    }
    assertThat(keptAbove.size() + promised.size() + again.size())
        .as("slots of tier 0 in use at %d", now)
        .isLessThanOrEqualTo(tiers.get(0).slots());
  }
}
