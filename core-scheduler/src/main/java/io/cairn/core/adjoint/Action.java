package io.cairn.core.adjoint;

/** One act of a driver. WORK is the program's own memory; slots hold snapshots of states. */
public sealed interface Action {

  /**
   * Runs the steps {@code from .. to - 1}. The state {@code from} lies in WORK.
   *
   * @param from the first step
   * @param to the state that lies in WORK afterwards
   * @param keep true if the driver first copies the state {@code from} to a slot
   */
  record Forward(long from, long to, boolean keep) implements Action {}

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
   */
  record Copy(long step) implements Action {}

  /**
   * Copies a snapshot to WORK and frees its slot.
   *
   * @param step the state
   */
  record Move(long step) implements Action {}

  /** Ends the forward phase: the next act reverses the last step. */
  record EndForward() implements Action {}

  /** Ends the schedule. */
  record EndReverse() implements Action {}
}
