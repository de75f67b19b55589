package io.cairn.adjoint.schedule;

import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongPredicate;

/** Snapshots of a program that does not know its end. See {@link Schedules#online}. */
record Online(int snapshots, LongPredicate isLast) implements Schedule {
  Online {
    Binomial.check(1, snapshots);
  }

  @Override
  public OptionalLong steps() {
    return OptionalLong.empty();
  }

  @Override
  public List<Tier> tiers() {
    return List.of(Tier.free(snapshots));
  }

  @Override
  public Iterator<Action> actions() {
    return new Actions();
  }

  private final class Actions extends BinomialWalk {
    private long asked = -1;

    /** Whether the place of the state in WORK is free because another snapshot left for it. */
    private boolean madeRoom;

    Actions() {
      super(UNKNOWN, snapshots);
    }

    @Override
    boolean isForward() {
      if (end() == UNKNOWN && asked < work()) {
        asked = work();
        if (isLast.test(asked)) {
          endAt(asked + 1);
        }
      }
      return super.isForward();
    }

    @Override
    Action advance() {
      if (end() != UNKNOWN) {
        return super.advance();
      }
      long from = work();
      if (from >= Binomial.MOST_STEPS) {
        throw new IllegalStateException("no end within " + Binomial.MOST_STEPS + " steps");
      }
      if (!madeRoom && kept.size() == snapshots) {
        int leaving = leaving(from);
        if (leaving == snapshots) {
          return ran(Action.Forward.only(from, from + 1));
        }
        madeRoom = true;
        return new Action.Delete(kept.remove(leaving), 0);
      }
      madeRoom = false;
      kept.add(from);
      return ran(Action.Forward.keeping(from, from + 1, 0));
    }

    /**
     * Which of the snapshots and the state in WORK is kept no longer, for the fewest steps if the
     * program ends after the next one. Among equals the earliest leaves. O(snapshots) sums.
     */
    private int leaving(long work) {
      long left = 0;
      for (int i = 0; i < snapshots - 1; i++) {
        left += again(work, i, i + 1, i);
      }
      long right = 0;
      long least = Long.MAX_VALUE;
      int leaving = snapshots;
      for (int i = snapshots; i > 0; i--) {
        long steps = left + again(work, i - 1, i + 1, i - 1) + right;
        if (steps <= least) {
          least = steps;
          leaving = i;
        }
        right += again(work, i, i + 1, i - 1);
        left -= i > 1 ? again(work, i - 2, i - 1, i - 2) : 0;
      }
      return leaving;
    }

    /** Steps that run again between two states, of which the first has so many others before it. */
    private long again(long work, int from, int to, int before) {
      return Binomial.advances(place(work, to) - place(work, from), snapshots - before);
    }

    /** The snapshots, then the state in WORK, then that of the last step. */
    private long place(long work, int index) {
      return index < snapshots ? kept.get(index) : work + index - snapshots;
    }
  }
}
