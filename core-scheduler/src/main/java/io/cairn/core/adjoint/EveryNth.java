package io.cairn.core.adjoint;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/** Every n-th state, then one segment after the other. See {@link Schedules#everyNth}. */
record EveryNth(long steps, long n) implements Schedule {
  EveryNth {
    Binomial.check(steps, 1);
    if (n < 1) {
      throw new IllegalArgumentException("segments must have at least 1 step, not " + n);
    }
  }

  @Override
  public List<Tier> tiers() {
    return List.of(Tier.free(Tier.UNLIMITED));
  }

  @Override
  public Iterator<Action> actions() {
    return new Actions();
  }

  private final class Actions implements Iterator<Action> {
    private long segment = (steps - 1) / n * n;
    private long work;
    private long end = steps;

    /** Whether the steps of the segment are kept; before the last segment, none is. */
    private boolean whole;

    private boolean inWork = true;
    private boolean forwardEnded;
    private boolean ended;

    @Override
    public boolean hasNext() {
      return !ended;
    }

    @Override
    public Action next() {
      if (ended) {
        throw new NoSuchElementException("the schedule of " + steps + " steps has ended");
      } else if (end == 0) {
        ended = true;
        return new Action.EndReverse();
      }
      return inWork ? goOn() : bringBack();
    }

    private Action goOn() {
      if (work == end - 1) {
        return reverse();
      }
      long from = work;
      boolean start = from % n == 0;
      boolean keep = !start || !whole;
      work = from < segment ? Math.min(from + n, segment) : from + 1;
      return new Action.Forward(from, work, keep, keep ? 0 : Action.WORK);
    }

    private Action reverse() {
      if (!forwardEnded) {
        forwardEnded = true;
        whole = true;
        return new Action.EndForward();
      }
      inWork = false;
      end--;
      return new Action.Reverse(end);
    }

    /** The state of the next step, if it is kept, or the start of the segment before. */
    private Action bringBack() {
      inWork = true;
      if (end > segment) {
        work = end - 1;
        return new Action.Move(work, 0);
      }
      segment -= n;
      work = segment;
      return n == 1 ? new Action.Move(work, 0) : new Action.Copy(work, 0);
    }
  }
}
