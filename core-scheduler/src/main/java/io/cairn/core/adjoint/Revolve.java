package io.cairn.core.adjoint;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * Actions with the fewest forward steps for a number of snapshots (Griewank and Walther 2000). It
 * holds as many numbers as snapshots and no table. Not thread-safe.
 */
public final class Revolve implements Iterator<Action> {
  private static final long NOWHERE = -1;

  private final long steps;
  private final int snapshots;
  private final ArrayDeque<Long> kept = new ArrayDeque<>();
  private long work;
  private long end;
  private boolean forwardEnded;
  private boolean ended;

  /**
   * Starts a schedule.
   *
   * @param steps steps of the program, 1 to {@link Binomial#MOST_STEPS}
   * @param snapshots slots, at least 1; the initial state takes one
   * @throws IllegalArgumentException if an argument is out of range
   */
  public Revolve(long steps, int snapshots) {
    Binomial.check(steps, snapshots);
    this.steps = steps;
    this.snapshots = snapshots;
    this.end = steps;
  }

  /** The forward steps that all actions together run outside reversals. */
  public long advances() {
    return Binomial.advances(steps, snapshots);
  }

  @Override
  public boolean hasNext() {
    return !ended;
  }

  @Override
  public Action next() {
    if (ended) {
      throw new NoSuchElementException("The schedule of " + steps + " steps has ended");
    }
    if (end == 0) {
      ended = true;
      return new Action.EndReverse();
    }
    if (work == NOWHERE) {
      return bringBack();
    }
    return work < end - 1 ? advance() : reverse();
  }

  private Action bringBack() {
    work = kept.getLast();
    if (work < end - 1) {
      return new Action.Copy(work);
    }
    kept.removeLast();
    return new Action.Move(work);
  }

  private Action advance() {
    long from = work;
    boolean keep = kept.isEmpty() || kept.getLast() != from;
    if (keep) {
      kept.addLast(from);
    }
    work = from + Binomial.firstPlace(end - from, snapshots - kept.size() + 1);
    return new Action.Forward(from, work, keep);
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
