package io.cairn.adjoint.history;

import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * Steps whose states went with memory of another process, until they are stored again or dropped.
 * The ledger's monitor guards it.
 */
final class LostSteps {
  private final Set<Long> steps = new HashSet<>();
  private long count;

  void add(long step) {
    steps.add(step);
    count++;
  }

  /** It is stored again, or needed no more. */
  void remove(long step) {
    if (!steps.isEmpty()) { // a boxed number for each step would be garbage
      steps.remove(step);
    }
  }

  /** None of them is needed any more. */
  void forget() {
    steps.clear();
  }

  /** How many states were lost in all. */
  long count() {
    return count;
  }

  /** Why a step that is not stored cannot be read. */
  HistoryException missing(long step) {
    return new HistoryException(
        steps.contains(step)
            ? String.format(
                Locale.ROOT,
                "step %d is lost: the process that lent its memory has ended; run its steps again",
                step)
            : "step " + step + " is not stored");
  }
}
