package io.cairn.core.adjoint;

/**
 * One act of a driver. WORK is the program's own memory, and holds one state at most. A tier is
 * named by its number, {@link #WORK} by -1.
 */
public sealed interface Action {
  /** The program's own memory, where a tier is named. */
  int WORK = -1;

  /**
   * Runs the steps {@code from .. to - 1}. The state {@code from} lies in WORK.
   *
   * @param from the first step
   * @param to the state that lies in WORK afterwards
   * @param restart whether the driver first copies the state {@code from} to the tier
   * @param tier where that copy lies; {@link #WORK} without one
   */
  record Forward(long from, long to, boolean restart, int tier) implements Action {}

  /**
   * Reverses one step, whose state lies in WORK. WORK is empty afterwards.
   *
   * @param step the step
   */
  record Reverse(long step) implements Action {}

  /**
   * Copies a snapshot to WORK; the snapshot stays.
   *
   * @param step the state
   * @param tier where it lies
   */
  record Copy(long step, int tier) implements Action {}

  /**
   * Copies a snapshot to WORK and frees its slot.
   *
   * @param step the state
   * @param tier where it lies
   */
  record Move(long step, int tier) implements Action {}

  /** Ends the forward phase: the next act reverses the last step. */
  record EndForward() implements Action {}

  /** Ends the schedule. */
  record EndReverse() implements Action {}
}
