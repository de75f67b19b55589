package io.cairn.adjoint;

import io.cairn.Checkpointer;
import io.cairn.adjoint.history.History;
import io.cairn.adjoint.schedule.Schedule;
import java.util.function.Function;
import java.util.function.LongPredicate;

/**
 * Runs programs forward and backward under any schedule, alone or as a rank of a coupled group.
 * Every so many calls of the program it seals the state, the adjoint state and its place in the
 * schedule as a checkpoint. After a kill the same call goes on from the newest checkpoint. States
 * that lay in files are there again; those that lay on the device alone are computed again. So the
 * result is the undisturbed run's, bit for bit.
 *
 * <pre>{@code
 * try (Checkpointer checkpointer = cairn.join("gradient");
 *     History history = History.resume(device, settings)) {
 *   new AdjointRunner(history, checkpointer, 50).run(program, Schedules.storeAll(800));
 *   history.delete();
 * }
 * }</pre>
 *
 * <p>Not thread-safe: one thread owns history, checkpointer and runner.
 */
public final class AdjointRunner {
  private final History history;
  private final Checkpointer checkpointer;
  private final long callsPerSeal;

  /**
   * A runner for one run.
   *
   * @param history from {@link History#resume}, so that a kill leaves its files
   * @param checkpointer on which nothing was restored yet; the program may protect further regions
   * @param callsPerSeal steps and reversals from one checkpoint to the next, at least 1; equal at
   *     all ranks of a group
   */
  public AdjointRunner(History history, Checkpointer checkpointer, long callsPerSeal) {
    if (callsPerSeal < 1) {
      throw new IllegalArgumentException(callsPerSeal + " calls to a seal; allowed are 1 or more");
    }
    this.history = history;
    this.checkpointer = checkpointer;
    this.callsPerSeal = callsPerSeal;
  }

  /**
   * Runs forward and backward. Called again after it ended, it restores the result and computes
   * nothing.
   *
   * @param program with its initial state in place
   * @throws io.cairn.adjoint.history.HistoryException if the history has no room, or lost a state
   * @throws io.cairn.RestoreException if a checkpoint exists and cannot be restored, or is of
   *     another program or schedule
   */
  public AdjointReport run(AdjointProgram program, Schedule schedule) {
    return run(program, isLast -> schedule);
  }

  /**
   * Like the other, for a schedule that asks the program for its end, such as {@code isLast ->
   * Schedules.online(20, isLast)}.
   *
   * @param schedule makes one that asks this question; called again where the run goes on
   */
  public AdjointReport run(AdjointProgram program, Function<LongPredicate, Schedule> schedule) {
    return new ProgramRun(program, schedule, history, checkpointer, callsPerSeal).complete();
  }
}
