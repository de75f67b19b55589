package io.cairn.adjoint.history;

/** One history among others that lend each other memory. The program's thread calls it. */
final class PeerMember {
  /** The number of its device. */
  final int device;

  final LentChunks lent;
  final BorrowedChunks borrowed;
  private final Lenders lenders;

  /** Borrows and lends nothing. */
  PeerMember(Lenders lenders, int device, LentChunks lent, BorrowedChunks borrowed) {
    this.lenders = lenders;
    this.device = device;
    this.lent = lent;
    this.borrowed = borrowed;
  }

  /** The history was told what to expect. */
  void report() {
    borrowed.giveBack();
    long spare = lent.spareChunks();
    lenders.report(this, borrowed.mayBorrow() ? spare : Math.max(0, spare));
  }

  /**
   * Takes back what the history lent, as far as its borrowers have room elsewhere; whether
   * something came back. The caller has no monitor.
   */
  boolean recall() {
    return lent.recall(lenders.patience);
  }

  /**
   * The history is closed. It neither borrows nor lends from now on.
   *
   * @param then frees its memory; runs once, as soon as nobody borrows it
   */
  void leave(Runnable then) {
    lenders.leave(this);
    borrowed.close();
    lent.leave(then);
  }
}
