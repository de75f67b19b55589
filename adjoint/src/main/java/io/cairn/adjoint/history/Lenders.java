package io.cairn.adjoint.history;

/** Where a history finds others that lend it memory. */
interface Lenders {
  /** The name of their memory, for messages and counts. */
  String shelf();

  /**
   * Checks that a history may join.
   *
   * @throws IllegalArgumentException if another one has its device, or chunks have another length
   */
  void requireFree(int chunkBytes);

  /**
   * A history joins.
   *
   * @throws IllegalArgumentException as {@link #requireFree}
   */
  Loans join(LoanMemory memory);
}
