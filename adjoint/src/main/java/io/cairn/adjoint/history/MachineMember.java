package io.cairn.adjoint.history;

/** One history among its {@link MachinePeers}. Thread-safe. */
final class MachineMember implements Loans {
  final LoanMemory memory;
  final TakenLoans taken;
  final GivenLoans given;
  private final MachinePeers peers;

  /** Borrows and lends nothing. */
  MachineMember(MachinePeers peers, LoanMemory memory) {
    this.peers = peers;
    this.memory = memory;
    taken = new TakenLoans(memory);
    given = new GivenLoans(memory);
  }

  @Override
  public void report() {
    taken.giveBack();
    long spare = memory.lending().spareChunks();
    peers.report(memory.chunkBytes(), taken.mayBorrow() ? spare : Math.max(0, spare));
  }

  /** Chunks of the states to come that neither the device, nor a place below, nor a peer takes. */
  long homelessChunks() {
    return -memory.lending().spareChunks() - memory.lending().freeBelow() - taken.chunks();
  }

  @Override
  public boolean recall() {
    return given.recall(peers.patience());
  }

  @Override
  public void leave(Runnable then) {
    peers.leave(this);
    taken.close();
    given.leave(then);
  }
}
