package io.cairn.adjoint;

import io.cairn.adjoint.history.History;
import io.cairn.adjoint.history.RegionSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A few states of the forward phase that are written to files, whatever the schedule keeps: lost
 * states are computed from them. The initial state is always among them.
 */
final class SealedStates {
  private static final int MOST = 8;

  private final History history;
  private final RegionSet restart;
  private final TreeSet<Long> steps = new TreeSet<>();

  SealedStates(History history, RegionSet restart) {
    this.history = history;
    this.restart = restart;
  }

  /** Forgets all but the initial state, which lies in the program's memory or was kept before. */
  void forgetAll() {
    steps.clear();
    steps.add(0L);
  }

  /** An earlier process left this state. */
  void found(long step) {
    steps.add(step);
  }

  /** States of later steps serve no more, but for the initial one. */
  void forgetAfter(long step) {
    steps.removeIf(each -> each > Math.max(0, step));
  }

  /** This state cannot be read. */
  void lost(long step) {
    steps.remove(step);
  }

  /**
   * Keeps the state in the program's memory. Drops every second one where they are many, unless the
   * schedule keeps it.
   *
   * @param kept what the schedule keeps
   */
  void keep(long step, Set<Long> kept) {
    long id = StateId.restart(step);
    if (!kept.contains(id)) {
      history.store(id, restart);
    }
    history.secure(id);
    steps.add(step);
    thin(kept);
  }

  /**
   * Drops every second one as long as they are many.
   *
   * @param kept these stay all the same
   */
  void thin(Set<Long> kept) {
    while (steps.size() > MOST) {
      halve(kept);
    }
  }

  private void halve(Set<Long> kept) {
    boolean drops = false;
    for (long each : List.copyOf(steps)) {
      if (drops && each != steps.last()) {
        steps.remove(each);
        if (!kept.contains(StateId.restart(each))) {
          history.discard(StateId.restart(each));
        }
      }
      drops = !drops;
    }
  }

  boolean contains(long step) {
    return steps.contains(step);
  }
}
