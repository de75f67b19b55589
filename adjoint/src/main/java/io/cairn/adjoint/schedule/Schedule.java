package io.cairn.adjoint.schedule;

import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;

/**
 * Which states a program keeps while it runs forward, and which steps it runs again while it runs
 * backward. Immutable and thread-safe; its iterators are not thread-safe.
 */
public interface Schedule {
  /** The steps of the program; empty if it says its end on the way. */
  OptionalLong steps();

  /** The tiers that hold states, the fastest first. */
  List<Tier> tiers();

  /** All actions from the first, the same at each call if the program says the same end. */
  Iterator<Action> actions();

  /** What all actions do, counted by running through them: O(actions). */
  default Cost cost() {
    return Cost.of(actions(), tiers().size());
  }
}
