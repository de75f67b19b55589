package io.cairn.adjoint;

import io.cairn.adjoint.history.History;
import io.cairn.adjoint.history.HistoryException;
import io.cairn.adjoint.history.RegionSet;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Computes states again that a kill has lost: they lay on the device alone. */
final class Recovery {
  private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);
  private static final long NONE = Long.MAX_VALUE;

  private final AdjointProgram program;
  private final History history;
  private final RegionSet restart;
  private final RegionSet read;
  private final SealedStates sealed;
  private final boolean alone;

  Recovery(
      AdjointProgram program,
      History history,
      RegionSet restart,
      RegionSet read,
      SealedStates sealed,
      boolean alone) {
    this.program = program;
    this.history = history;
    this.restart = restart;
    this.read = read;
    this.sealed = sealed;
    this.alone = alone;
  }

  /** Puts a state or a tape back into the program's memory; drops it if this is its last use. */
  void bring(long id, boolean last) {
    if (StateId.isTape(id)) {
      history.restore(id, read, last);
    } else {
      history.restore(id, restart, last);
      program.restored();
    }
  }

  /** Whether a state that was not read is computed again: by a rank alone that is to go on. */
  boolean computesAgain() {
    return alone && !Thread.currentThread().isInterrupted();
  }

  /**
   * A state that cannot be read would be found by the next life, which could not read it either. An
   * interruption says nothing about a state.
   */
  void forget(long id, HistoryException failure) {
    if (failure.getCause() instanceof IOException && !Thread.currentThread().isInterrupted()) {
      try {
        history.forget(id);
      } catch (HistoryException e) {
        failure.addSuppressed(e);
      }
    }
  }

  /**
   * Brings the initial state, and drops all others: no state of an earlier program counts, and none
   * is found after a kill.
   */
  void startAfresh(UUID run) {
    bring(StateId.restart(0), false);
    history.clear();
    history.takeOver(run);
    sealed.forgetAll();
    sealed.keep(0, Set.of());
  }

  /**
   * Makes the history hold these states. All ranks of a group compute the same ones. The state in
   * the program's memory stays there.
   *
   * @param latest states of later steps serve no more, but for the initial one
   * @return the steps that were run
   */
  long restore(Set<Long> needed, long latest) {
    takeOver(needed, latest);
    Set<Long> found = new HashSet<>();
    NavigableSet<Long> starts = new TreeSet<>();
    for (long id : history.steps()) {
      found.add(id);
      if (isStart(id)) {
        starts.add(StateId.step(id));
      }
    }
    List<Long> lost =
        needed.stream().filter(id -> !found.contains(id)).map(StateId::step).sorted().toList();
    long missing = program.least(lost.isEmpty() ? NONE : lost.get(0));
    if (missing == NONE) {
      return 0;
    }
    long last = -program.least(lost.isEmpty() ? 0 : -lost.get(lost.size() - 1));
    history.store(StateId.WORK, restart);
    long from = start(starts, found, missing);
    for (long step = from; step <= last; step++) {
      keep(StateId.restart(step), restart, needed, found);
      keep(StateId.tape(step), read, needed, found);
      if (step < last) {
        program.step(step);
      }
    }
    bring(StateId.WORK, true);
    return last - from;
  }

  /**
   * Sorts out what an earlier process left: a few states from which steps can run serve, the others
   * do not.
   */
  private void takeOver(Set<Long> needed, long latest) {
    sealed.forgetAfter(latest);
    for (long id : history.steps()) {
      if (!needed.contains(id)) {
        if (isStart(id) && StateId.step(id) <= Math.max(0, latest)) {
          sealed.found(StateId.step(id));
        } else {
          history.discard(id);
        }
      }
    }
    sealed.thin(needed);
  }

  private static boolean isStart(long id) {
    return id != StateId.WORK && !StateId.isTape(id);
  }

  /** Brings back the state from which lost ones can be computed; a rank alone tries others too. */
  private long start(NavigableSet<Long> starts, Set<Long> found, long missing) {
    while (true) {
      long from = commonStart(starts, missing);
      try {
        bring(StateId.restart(from), false);
        return from;
      } catch (HistoryException e) {
        if (!computesAgain() || from == 0) {
          forget(StateId.restart(from), e);
          throw e;
        }
        LOG.warn("a state is lost; steps run again from one before it", e);
        history.discard(StateId.restart(from));
        sealed.lost(from);
        starts.remove(from);
        found.remove(StateId.restart(from));
      }
    }
  }

  /**
   * The highest step, at most this one, whose state every rank has.
   *
   * @throws HistoryException if a rank has lost the initial state too, as without files
   */
  private long commonStart(NavigableSet<Long> starts, long missing) {
    long most = missing;
    while (true) {
      Long mine = starts.floor(most);
      long common = program.least(mine == null ? 0 : mine);
      if (program.least(starts.contains(common) ? 1 : 0) == 1) {
        return common;
      }
      if (common == 0) { // the same number at all ranks, so all of them end
        throw new HistoryException(
            "lost states cannot be computed again: the initial state is lost; give the history"
                + " files for a few states");
      }
      most = common - 1;
    }
  }

  private void keep(long id, RegionSet regions, Set<Long> needed, Set<Long> found) {
    if (needed.contains(id) && !found.contains(id)) {
      history.store(id, regions);
    }
  }
}
