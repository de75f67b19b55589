package io.cairn.adjoint;

import io.cairn.adjoint.schedule.Action;
import io.cairn.adjoint.schedule.Schedule;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The moves of a schedule, one by one, and the states that are kept now. The last step runs too,
 * before the forward phase ends, and its tape is kept for its reversal.
 */
final class Course implements Iterator<Move> {
  /** A tier that no schedule has. */
  private static final int LAST_TAPE = 62;

  private final Iterator<Action> actions;
  private final Deque<Move> next = new ArrayDeque<>();

  /** The tiers on which each state lies, as bits. */
  private final Map<Long, Long> kept = new HashMap<>();

  /** Steps of a forward action that are still to be run. */
  private Action.@Nullable Forward rest;

  /** Whether the tape of the last step is to be brought back next. */
  private boolean lastHasRun;

  private long work;

  Course(Schedule schedule) {
    actions = schedule.actions();
  }

  /**
   * The numbers of all states that are kept after the last call of the program. To be asked before
   * the next move is.
   */
  Set<Long> kept() {
    return Set.copyOf(kept.keySet());
  }

  @Override
  public boolean hasNext() {
    while (next.isEmpty() && (rest != null || lastHasRun || actions.hasNext())) {
      prepare();
    }
    return !next.isEmpty();
  }

  @Override
  public Move next() {
    if (!hasNext()) {
      throw new NoSuchElementException("the run has ended");
    }
    return next.remove();
  }

  private void prepare() {
    Action.Forward forward = rest;
    if (forward != null) {
      run(forward);
      return;
    } else if (lastHasRun) {
      lastHasRun = false;
      bring(StateId.tape(work), LAST_TAPE, true);
      return;
    }
    Action action = actions.next();
    if (action instanceof Action.Forward begun) {
      if (begun.restart()) {
        keep(StateId.restart(begun.from()), begun.tier());
      }
      run(begun);
    } else if (action instanceof Action.Reverse reverse) {
      next.add(new Move.Reverse(reverse.step()));
    } else if (action instanceof Action.Copy copy) {
      bring(find(copy.step(), copy.tier()), copy.tier(), false);
    } else if (action instanceof Action.Move move) {
      bring(find(move.step(), move.tier()), move.tier(), true);
    } else if (action instanceof Action.Delete delete) {
      drop(find(delete.step(), delete.tier()), delete.tier());
    } else if (action instanceof Action.EndForward) {
      runLast();
    }
  }

  private void run(Action.Forward forward) {
    if (forward.tape()) {
      keep(StateId.tape(forward.from()), forward.tier());
    }
    next.add(new Move.Run(forward.from()));
    long from = forward.from() + 1;
    work = from;
    rest =
        from == forward.to()
            ? null
            : new Action.Forward(from, forward.to(), false, forward.tape(), forward.tier());
  }

  private void runLast() {
    keep(StateId.tape(work), LAST_TAPE);
    next.add(new Move.Run(work));
    next.add(new Move.EndForward());
    lastHasRun = true;
  }

  private long find(long step, int tier) {
    long tape = StateId.tape(step);
    return isKept(tape, tier) ? tape : StateId.restart(step);
  }

  private boolean isKept(long id, int tier) {
    return (kept.getOrDefault(id, 0L) >> tier & 1) != 0;
  }

  private void keep(long id, int tier) {
    long before = kept.getOrDefault(id, 0L);
    kept.put(id, before | 1L << tier);
    if (before == 0) {
      next.add(new Move.Keep(id));
    }
  }

  private void bring(long id, int tier, boolean drops) {
    work = StateId.step(id);
    next.add(new Move.Bring(id, drops && forget(id, tier)));
  }

  private void drop(long id, int tier) {
    if (forget(id, tier)) {
      next.add(new Move.Drop(id));
    }
  }

  /** Whether no other tier keeps it. */
  private boolean forget(long id, int tier) {
    long left = kept.getOrDefault(id, 0L) & ~(1L << tier);
    if (left == 0) {
      kept.remove(id);
    } else {
      kept.put(id, left);
    }
    return left == 0;
  }
}
