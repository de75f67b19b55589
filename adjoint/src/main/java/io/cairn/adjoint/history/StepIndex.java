package io.cairn.adjoint.history;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The states by step, and the steps whose states went with memory of another process. Steps are
 * dense, so it is an array. The ledger's monitor guards it.
 */
final class StepIndex {
  private @Nullable State[] states = new State[1024];

  /** Until they are stored again or dropped. */
  private final Set<Long> lostSteps = new HashSet<>();

  private long lost;

  @Nullable State find(long step) {
    return step < states.length ? states[(int) step] : null;
  }

  void add(State state) {
    int at = (int) state.step;
    if (at >= states.length) {
      states =
          Arrays.copyOf(
              states,
              (int) Math.max(at + 1L, Math.min(2L * states.length, History.MOST_STEPS + 1)));
    }
    states[at] = state;
  }

  void remove(State state) {
    states[(int) state.step] = null;
  }

  /** The state of a step is lost, and was removed. */
  void lose(long step) {
    lostSteps.add(step);
    lost++;
  }

  /** A step is stored again, or needed no more. */
  void isNotLost(long step) {
    if (!lostSteps.isEmpty()) { // a boxed number for each step would be garbage
      lostSteps.remove(step);
    }
  }

  /** No step that is lost is needed any more. */
  void forgetLost() {
    lostSteps.clear();
  }

  /** How many states were lost in all. */
  long lost() {
    return lost;
  }

  /** Why a step that is not stored cannot be read. */
  HistoryException missing(long step) {
    return new HistoryException(
        lostSteps.contains(step)
            ? String.format(
                Locale.ROOT,
                "step %d is lost: the process that lent its memory has ended; run its steps again",
                step)
            : "step " + step + " is not stored");
  }

  void forEach(Consumer<State> action) {
    all().forEach(action);
  }

  /** The first state of which something holds; null if there is none. O(steps). */
  @Nullable State first(Predicate<State> holds) {
    return all().filter(holds).findFirst().orElse(null);
  }

  /**
   * The first state from a step on of which something holds, or else the first one before it; null
   * if there is none. O(steps between).
   */
  @Nullable State first(long from, Predicate<State> holds) {
    int start = (int) Math.min(from, states.length);
    return Stream.concat(
            Arrays.stream(states, start, states.length), Arrays.stream(states, 0, start))
        .filter(Objects::nonNull)
        .filter(holds)
        .findFirst()
        .orElse(null);
  }

  /** All states of which something holds. O(steps). */
  List<State> all(Predicate<State> holds) {
    return all().filter(holds).toList();
  }

  long[] steps() {
    return all().mapToLong(state -> state.step).toArray();
  }

  private Stream<State> all() {
    return Arrays.stream(states).filter(Objects::nonNull);
  }
}
