package io.cairn.adjoint;

/** One move of a run: each call of the program is a move of its own. */
sealed interface Move {
  /** Keeps the state in WORK, or its tape. */
  record Keep(long id) implements Move {}

  /** Runs a step. */
  record Run(long step) implements Move {}

  /** Brings a state or a tape to WORK; drops it if it is not kept elsewhere. */
  record Bring(long id, boolean last) implements Move {}

  /** Drops a state. */
  record Drop(long id) implements Move {}

  /** Ends the forward phase: all steps have run. */
  record EndForward() implements Move {}

  /** Reverses a step. */
  record Reverse(long step) implements Move {}
}
