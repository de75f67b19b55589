package io.cairn.adjoint.history;

/** One history among those that lend each other memory. The program's thread calls it. */
interface Loans {
  /** The history was told what to expect. */
  void report();

  /**
   * Takes back what the history lent, as far as its borrowers have room elsewhere; whether
   * something came back. The caller has no monitor.
   */
  boolean recall();

  /**
   * The history is closed. It neither borrows nor lends from now on.
   *
   * @param then frees its memory; runs once, as soon as nobody borrows it
   */
  void leave(Runnable then);
}
