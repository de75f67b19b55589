package io.cairn.cache.history;

import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One history among its {@link HistoryPeers}, whose monitor guards it. */
final class PeerMember {
  /** Chunks that this history borrowed at once from another one. */
  private static final class Lease {
    final PeerMember lender;
    final int[] chunks;
    final List<DeviceMemory.Opened> opened = new ArrayList<>();
    final List<DeviceAddress> spans = new ArrayList<>();

    Lease(PeerMember lender, int[] chunks) {
      this.lender = lender;
      this.chunks = chunks;
    }
  }

  private final HistoryPeers peers;
  private final int device;
  private final DeviceMemory memory;
  private final int chunkBytes;
  private final List<DeviceAddress> slabs;
  private final Ledger ledger;
  private final Room room;
  private final MemoryShelf shelf;
  private final List<Lease> leases = new ArrayList<>();

  /** Leases of others for chunks of this history. */
  private int lent;

  private @Nullable Runnable release;

  /**
   * Borrows and lends nothing.
   *
   * @param slabs the memory of its states
   * @param room of the chunks that it borrows
   * @param shelf the same chunks
   */
  PeerMember(
      HistoryPeers peers,
      int device,
      DeviceMemory memory,
      int chunkBytes,
      List<DeviceAddress> slabs,
      Ledger ledger,
      Room room,
      MemoryShelf shelf) {
    this.peers = peers;
    this.device = device;
    this.memory = memory;
    this.chunkBytes = chunkBytes;
    this.slabs = List.copyOf(slabs);
    this.ledger = ledger;
    this.room = room;
    this.shelf = shelf;
  }

  /** The history was told what to expect. */
  void report() {
    peers.report(this);
  }

  /**
   * The history is closed.
   *
   * @param then frees its memory, as soon as nobody borrows it
   */
  void leave(Runnable then) {
    peers.leave(this, then);
  }

  /** Takes back what the history lent; whether something came back. The caller has no monitor. */
  boolean recall() {
    return peers.recall(this);
  }

  int device() {
    return device;
  }

  int chunkBytes() {
    return chunkBytes;
  }

  /** Chunks that the states to come leave free; below zero, those that they miss. */
  long spareChunks() {
    return ledger.lending().spareChunks();
  }

  /** Whether it has given back what it borrowed before. */
  boolean mayBorrow() {
    return room.chunks.capacity() == 0;
  }

  /** Chunks of the states to come that neither the device, nor a place below, nor a peer takes. */
  long homelessChunks() {
    long borrowed = leases.stream().mapToLong(lease -> lease.chunks.length).sum();
    return -ledger.lending().spareChunks() - ledger.lending().freeBelow() - borrowed;
  }

  /** Borrows as many chunks of another history as that one has free, up to a number. */
  void borrow(PeerMember lender, long most) throws IOException {
    int[] chunks = lender.ledger.lending().lend(most);
    if (chunks.length > 0) {
      Lease lease = new Lease(lender, chunks);
      leases.add(lease);
      lender.lent++;
      open(lease);
    }
  }

  private void open(Lease lease) throws IOException {
    Arrays.sort(lease.chunks);
    int chunksPerSlab = HistorySettings.SEGMENT_BYTES / chunkBytes;
    DeviceAddress slab = null;
    int number = -1;
    for (int from = 0, end; from < lease.chunks.length; from = end) {
      int first = lease.chunks[from];
      for (end = from + 1; end < lease.chunks.length; end++) {
        if (lease.chunks[end] != first + end - from || lease.chunks[end] % chunksPerSlab == 0) {
          break;
        }
      }
      if (slab == null || number != first / chunksPerSlab) {
        number = first / chunksPerSlab;
        DeviceMemory.Opened opened =
            memory.open(lease.lender.memory.export(lease.lender.slabs.get(number)));
        lease.opened.add(opened);
        slab = opened.address();
      }
      long start = (long) (first % chunksPerSlab) * chunkBytes;
      lease.spans.add(slab.slice(start, (long) (end - from) * chunkBytes));
    }
  }

  /** Uses what it borrowed. */
  void use() {
    if (!leases.isEmpty() && mayBorrow()) {
      shelf.lay(leases.stream().flatMap(lease -> lease.spans.stream()).toList());
      ledger.lending().borrowed(room, shelf.chunks());
    }
  }

  /** Gives back what it borrowed, if no state lies there. */
  void giveBack() {
    if (leases.isEmpty() || !ledger.lending().returns(room)) {
      return;
    }
    for (Lease lease : leases) {
      lease.opened.forEach(DeviceMemory.Opened::close);
      lease.lender.returned(lease.chunks);
    }
    leases.clear();
  }

  private void returned(int[] chunks) {
    ledger.lending().takeBack(chunks);
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
    return ledger.lending().evacuate(room);
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
