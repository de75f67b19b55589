package io.cairn.adjoint.schedule;

import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * The frame of all iterators: it knows what lies in WORK and which steps are left, and reverses a
 * step as soon as it can.
 */
abstract class Walk implements Iterator<Action> {
  /** The end of a program that has not said it yet. */
  static final long UNKNOWN = Long.MAX_VALUE;

  private static final long NOWHERE = -1;

  private long work;
  private long end;
  private boolean forwardEnded;
  private boolean ended;

  /**
   * Begins with the first state in WORK.
   *
   * @param steps of the program, or {@link #UNKNOWN}
   */
  Walk(long steps) {
    end = steps;
  }

  /** The act while the state in WORK is not that of the last step. */
  abstract Action advance();

  /** The act while WORK is empty. */
  abstract Action bringBack();

  /** The state in WORK. */
  final long work() {
    return work;
  }

  /** Steps that are not reversed. */
  final long end() {
    return end;
  }

  final void endAt(long steps) {
    end = steps;
  }

  /** Whether the state in WORK is not that of the last step. */
  boolean isForward() {
    return work < end - 1;
  }

  @Override
  public final boolean hasNext() {
    return !ended;
  }

  @Override
  public final Action next() {
    if (ended) {
      throw new NoSuchElementException("the schedule has ended");
    } else if (end == 0) {
      ended = true;
      return new Action.EndReverse();
    } else if (work == NOWHERE) {
      return bringBack();
    }
    return isForward() ? advance() : reverse();
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

  final Action ran(Action.Forward forward) {
    work = forward.to();
    return forward;
  }

  final Action copied(long step, int tier) {
    work = step;
    return new Action.Copy(step, tier);
  }

  final Action moved(long step, int tier) {
    work = step;
    return new Action.Move(step, tier);
  }
}
