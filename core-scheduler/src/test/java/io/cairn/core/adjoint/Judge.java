package io.cairn.core.adjoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;

/** Runs actions on a model of WORK and slots, and rejects an act that a program could not do. */
final class Judge {
  private final long steps;
  private final int slots;
  private final Set<Long> kept = new HashSet<>();
  private long work;
  private long end;
  private long reached;
  private long advances;
  private boolean forwardEnded;

  private Judge(long steps, int slots) {
    this.steps = steps;
    this.slots = slots;
    this.end = steps;
  }

  static long advances(long steps, int slots, Iterator<Action> actions) {
    Judge judge = new Judge(steps, slots);
    boolean ended = false;
    while (actions.hasNext()) {
      assertThat(ended).as("an act after the end").isFalse();
      Action action = actions.next();
      judge.act(action);
      ended = action instanceof Action.EndReverse;
    }
    assertThat(ended).as("the schedule ends").isTrue();
    return judge.advances;
  }

  private void act(Action action) {
    if (action instanceof Action.Forward forward) {
      forward(forward);
    } else if (action instanceof Action.Reverse reverse) {
      assertThat(forwardEnded).as("%s after the forward phase", action).isTrue();
      assertThat(reverse.step()).as("next step to reverse").isEqualTo(end - 1).isEqualTo(work);
      end--;
      work = -1;
    } else if (action instanceof Action.Copy copy) {
      assertThat(kept).as("%s of what is kept", action).contains(copy.step());
      work = copy.step();
    } else if (action instanceof Action.Move move) {
      assertThat(kept.remove(move.step())).as("%s of what is kept", action).isTrue();
      work = move.step();
    } else if (action instanceof Action.EndForward) {
      assertThat(reached).as("steps run before the last").isEqualTo(steps - 1);
      assertThat(forwardEnded).as("the forward phase ends once").isFalse();
      forwardEnded = true;
    } else {
      assertThat(end).as("steps not reversed").isZero();
      assertThat(kept).as("states left").isEmpty();
    }
  }

  private void forward(Action.Forward forward) {
    assertThat(forward.from()).as("state in WORK").isEqualTo(work);
    assertThat(forward.to()).isGreaterThan(forward.from()).isLessThan(end);
    if (forward.keep()) {
      assertThat(kept.add(forward.from())).as("%s keeps a state once", forward).isTrue();
      assertThat(kept.size()).as("slots in use").isLessThanOrEqualTo(slots);
    }
    advances += forward.to() - forward.from();
    work = forward.to();
    reached = Math.max(reached, work);
  }
}
