package io.cairn.core.adjoint;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/** The closed form, action by action. See {@link Schedules#revolve}. */
record Revolve(long steps, int snapshots) implements Schedule {
  private static final long NOWHERE = -1;

  Revolve {
    Binomial.check(steps, snapshots);
  }

  @Override
  public List<Tier> tiers() {
    return List.of(Tier.free(snapshots));
  }

  @Override
  public Iterator<Action> actions() {
    return new Actions();
  }

  /** Holds as many numbers as snapshots. Each action takes O(repetition) time. */
  private final class Actions implements Iterator<Action> {
    private final ArrayDeque<Long> kept = new ArrayDeque<>();
    private long work;
    private long end = steps;
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
      } else if (work == NOWHERE) {
        return bringBack();
      }
      return work < end - 1 ? advance() : reverse();
    }

    private Action bringBack() {
      work = kept.getLast();
      if (work < end - 1) {
        return new Action.Copy(work, 0);
      }
      kept.removeLast();
      return new Action.Move(work, 0);
    }

    private Action advance() {
      long from = work;
      boolean keep = kept.isEmpty() || kept.getLast() != from;
      if (keep) {
        kept.addLast(from);
      }
      work = from + Binomial.firstPlace(end - from, snapshots - kept.size() + 1);
      return new Action.Forward(from, work, keep, keep ? 0 : Action.WORK);
    }

    private Action reverse() {
      if (!forwardEnded) {
        forwardEnded = true;
        return new Action.EndForward();
      }
      end--;
      work = NOWHERE;
      return new Action.Reverse(end);
    }
  }
}
