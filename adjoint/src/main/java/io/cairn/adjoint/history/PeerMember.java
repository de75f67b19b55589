package io.cairn.adjoint.history;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One history among its {@link HistoryPeers}, whose monitor guards it. */
final class PeerMember implements Loans {
  /** Chunks that this history borrowed at once from another one. */
  private static final class Lease {
    final PeerMember lender;
    final int[] chunks;
    final OpenedChunks memory = new OpenedChunks();

    Lease(PeerMember lender, int[] chunks) {
      this.lender = lender;
      this.chunks = chunks;
    }
  }

  private final HistoryPeers peers;
  private final int device;
  private final LoanMemory memory;
  private final List<Lease> leases = new ArrayList<>();

  /** Leases of others for chunks of this history. */
  private int lent;

  private @Nullable Runnable release;

  /** Borrows and lends nothing. */
  PeerMember(HistoryPeers peers, int device, LoanMemory memory) {
    this.peers = peers;
    this.device = device;
    this.memory = memory;
  }

  @Override
  public void report() {
    peers.report(this);
  }

  @Override
  public void leave(Runnable then) {
    peers.leave(this, then);
  }

  @Override
  public boolean recall() {
    return peers.recall(this);
  }

  int device() {
    return device;
  }

  int chunkBytes() {
    return memory.chunkBytes();
  }

  /** Chunks that the states to come leave free; below zero, those that they miss. */
  long spareChunks() {
    return memory.lending().spareChunks();
  }

  /** Whether it has given back what it borrowed before. */
  boolean mayBorrow() {
    return memory.room().chunks.capacity() == 0;
  }

  /** Chunks of the states to come that neither the device, nor a place below, nor a peer takes. */
  long homelessChunks() {
    long borrowed = leases.stream().mapToLong(lease -> lease.chunks.length).sum();
    return -memory.lending().spareChunks() - memory.lending().freeBelow() - borrowed;
  }

  /** Borrows as many chunks of another history as that one has free, up to a number. */
  void borrow(PeerMember lender, long most) throws IOException {
    int[] chunks = lender.memory.lending().lend(most);
    if (chunks.length > 0) {
      Lease lease = new Lease(lender, chunks);
      leases.add(lease);
      lender.lent++;
      open(lease);
    }
  }

  private void open(Lease lease) throws IOException {
    LoanMemory lent = lease.lender.memory;
    lease.memory.open(
        memory.device(),
        memory.chunkBytes(),
        LentSpan.of(lease.chunks, lent.chunksPerSlab()),
        slab -> lent.device().export(lent.slabs().get(slab)));
  }

  /** Uses what it borrowed. */
  void use() {
    if (!leases.isEmpty() && mayBorrow()) {
      MemoryShelf shelf = memory.shelf();
      shelf.lay(leases.stream().flatMap(lease -> lease.memory.addresses().stream()).toList());
      memory.lending().borrowed(memory.room(), shelf.chunks());
    }
  }

  /** Gives back what it borrowed, if no state lies there. */
  void giveBack() {
    if (leases.isEmpty() || !memory.lending().returns(memory.room())) {
      return;
    }
    for (Lease lease : leases) {
      lease.memory.close();
      lease.lender.returned(lease.chunks);
    }
    leases.clear();
  }

  private void returned(int[] chunks) {
    memory.lending().takeBack(chunks);
    lent--;
    if (lent == 0 && release != null) {
      release.run();
    }
  }

  /** Whether it borrows from another history. */
  boolean borrowsFrom(PeerMember other) {
    return leases.stream().anyMatch(lease -> lease.lender == other);
  }

  /** Moves its states out of what it borrowed, and waits for that. The caller has no monitor. */
  boolean evacuate() {
    return memory.lending().evacuate(memory.room());
  }

  /** Runs something as soon as nobody borrows. */
  void afterLeases(Runnable then) {
    if (lent == 0) {
      then.run();
    } else {
      release = then;
    }
  }
}
