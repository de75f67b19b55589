package io.cairn.adjoint.schedule;

/**
 * One act of a driver. WORK is the program's own memory, and holds one state or one tape at most. A
 * tier is named by its number, {@link #WORK} by -1.
 *
 * <p>A tape is what the reversal of one step reads. Some programs read the whole state for that,
 * others less, or values from within the step.
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
   * @param tape whether the driver keeps the tape of each of these steps on the tier
   * @param tier where that is kept; {@link #WORK} if nothing is
   */
  record Forward(long from, long to, boolean restart, boolean tape, int tier) implements Action {
    static Forward only(long from, long to) {
      return new Forward(from, to, false, false, WORK);
    }

    static Forward keeping(long from, long to, int tier) {
      return new Forward(from, to, true, false, tier);
    }

    static Forward taping(long from, long to, int tier) {
      return new Forward(from, to, false, true, tier);
    }
  }

  /**
   * Reverses one step, whose state or tape lies in WORK. WORK is empty afterwards.
   *
   * @param step the step
   */
  record Reverse(long step) implements Action {}

  /**
   * Copies a state to WORK; the tier keeps it.
   *
   * @param step the state
   * @param tier where it lies
   */
  record Copy(long step, int tier) implements Action {}

  /**
   * Copies a state or a tape to WORK and frees its slot.
   *
   * @param step the step that begins with the state, or whose tape it is
   * @param tier where it lies
   */
  record Move(long step, int tier) implements Action {}

  /**
   * Frees the slot of a state.
   *
   * @param step the state
   * @param tier where it lies
   */
  record Delete(long step, int tier) implements Action {}

  /** Ends the forward phase: the next act reverses the last step. */
  record EndForward() implements Action {}

  /** Ends the schedule. */
  record EndReverse() implements Action {}
}
