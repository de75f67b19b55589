package io.cairn.adjoint;

/** The numbers under which a history keeps the states of a run. */
final class StateId {
  /** The state in the program's memory, while lost ones are computed again. */
  static final long WORK = 0;

  private StateId() {}

  static long restart(long step) {
    return 2 * step + 1;
  }

  static long tape(long step) {
    return 2 * step + 2;
  }

  static boolean isTape(long id) {
    return id != WORK && id % 2 == 0;
  }

  static long step(long id) {
    return (id - 1) / 2;
  }
}
