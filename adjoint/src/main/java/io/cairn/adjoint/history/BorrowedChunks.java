package io.cairn.adjoint.history;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.cache.chunk.SlotExport;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.core.sharing.DeskMessage;
import io.cairn.core.sharing.LeaseAnswer.Granted;
import io.cairn.core.sharing.LeaseId;
import io.cairn.core.sharing.LeaseRequest;
import io.cairn.core.wire.PeerReply.Greeting;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Memory that a history borrows from others. A lease is released only after the last copy to its
 * chunks. A borrowed chunk takes fewer than 256 bytes of the heap. Thread-safe.
 */
final class BorrowedChunks {
  private static final Logger LOG = LoggerFactory.getLogger(BorrowedChunks.class);

  /** States belong to no checkpoint. */
  private static final CheckpointId STATES =
      new CheckpointId(new GroupId("adjoint", "history"), 1, 0);

  private record Lease(
      int lender, LeaseLink link, List<DeviceMemory.Opened> memory, List<DeviceAddress> addresses) {
    void closeMemory() {
      memory.forEach(DeviceMemory.Opened::close);
    }

    long bytes() {
      return addresses.stream().mapToLong(DeviceAddress::bytes).sum();
    }
  }

  private final DeviceMemory device;
  private final int chunkBytes;
  private final Lending lending;
  private final Room room;
  private final MemoryShelf shelf;
  private final String holder;
  private final AtomicLong nonces = new AtomicLong();
  private final List<Lease> leases = new ArrayList<>();

  /** Held while states leave for a lender; never with the monitor of this. */
  private final Object vacating = new Object();

  /** Whether states may lie there. */
  private boolean isUsed;

  private boolean closed;

  /** Whether the log has that a failed copy may still write. */
  private boolean told;

  /**
   * None.
   *
   * @param holder its name, which no other history has
   * @param device opens the memory of others
   * @param room of the chunks
   * @param shelf the same chunks
   */
  BorrowedChunks(
      String holder,
      DeviceMemory device,
      int chunkBytes,
      Lending lending,
      Room room,
      MemoryShelf shelf) {
    this.holder = holder;
    this.device = device;
    this.chunkBytes = chunkBytes;
    this.lending = lending;
    this.room = room;
    this.shelf = shelf;
  }

  /** Whether it has given back what it borrowed before. */
  synchronized boolean mayBorrow() {
    return !isUsed && !closed;
  }

  /** The memory where states may lie. */
  synchronized long usedBytes() {
    return isUsed ? bytes() : 0;
  }

  /** All of it, used or not yet. */
  private long bytes() {
    return leases.stream().mapToLong(Lease::bytes).sum();
  }

  /** Chunks of the states to come that neither the device, nor a place below, nor a peer takes. */
  synchronized long homelessChunks() {
    return -lending.spareChunks() - lending.freeBelow() - bytes() / chunkBytes;
  }

  /**
   * Borrows as many chunks as a lender has free, up to a number and those of one lease, for {@link
   * #use}. Nothing if the lender's chunks have another length.
   *
   * @param lender number of its device
   * @param link to the lender; this closes it
   * @return the number of chunks
   * @throws IOException if the lender does not answer, or its memory cannot be opened
   */
  long borrow(int lender, LeaseLink link, long most) throws IOException {
    Lease lease = null;
    try {
      Greeting greeting = link.greet();
      int chunks = (int) Math.min(most, DeskMessage.MOST_CHUNKS);
      LeaseId id = new LeaseId(holder, nonces.incrementAndGet(), STATES, 0);
      if (greeting.chunkBytes() == chunkBytes
          && link.acquire(new LeaseRequest.Acquire(id, chunks)) instanceof Granted granted) {
        Lease opened = open(lender, link, greeting, granted.slots(), chunks);
        lease = take(opened) ? opened : null;
      }
    } finally {
      if (lease == null) {
        link.close();
      }
    }
    if (lease == null) {
      return 0;
    }
    Lease taken = lease;
    link.listen(() -> vacate(taken), () -> gone(taken));
    return taken.bytes() / chunkBytes;
  }

  private Lease open(int lender, LeaseLink link, Greeting greeting, List<Integer> slots, int asked)
      throws IOException {
    int[] lent = slots.stream().mapToInt(slot -> slot).distinct().sorted().toArray();
    List<DeviceMemory.Opened> memory = new ArrayList<>();
    List<DeviceAddress> spans = new ArrayList<>();
    boolean whole = false;
    try {
      int opened = 0;
      for (SlotExport export : SlotExport.of(greeting)) {
        opened = open(export, lent, opened, memory, spans);
      }
      whole = slots.size() <= asked && opened == slots.size();
      if (!whole) {
        throw new IOException(
            String.format(
                Locale.ROOT,
                "%d chunks, of which %d are exported; %d were asked for",
                slots.size(),
                opened,
                asked));
      }
      return new Lease(lender, link, memory, spans);
    } finally {
      if (!whole) {
        memory.forEach(DeviceMemory.Opened::close);
      }
    }
  }

  /**
   * Opens an export, if some of its slots are lent. Those that follow each other are one span.
   *
   * @param lent by their numbers
   * @param next the first of them that no earlier export has
   * @return the first that this one does not have, either
   */
  private int open(
      SlotExport export,
      int[] lent,
      int next,
      List<DeviceMemory.Opened> memory,
      List<DeviceAddress> spans)
      throws IOException {
    if (!has(export, lent, next)) {
      return next;
    }
    DeviceMemory.Opened opened = device.open(export.handle());
    memory.add(opened);
    DeviceAddress all = opened.address();
    if (all.bytes() != (long) export.slots() * chunkBytes) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "%s: %d bytes are not %d slots of %d",
              export.handle(),
              all.bytes(),
              export.slots(),
              chunkBytes));
    }
    int to = next;
    while (has(export, lent, to)) {
      int from = to;
      while (has(export, lent, to) && lent[to] - lent[from] == to - from) {
        to++;
      }
      long first = (long) lent[from] - export.firstSlot();
      spans.add(all.slice(first * chunkBytes, (long) (to - from) * chunkBytes));
    }
    return to;
  }

  private static boolean has(SlotExport export, int[] lent, int at) {
    return at < lent.length && lent[at] >= export.firstSlot() && lent[at] < export.end();
  }

  private boolean take(Lease lease) {
    synchronized (this) {
      if (mayBorrow()) {
        return leases.add(lease);
      }
    }
    lease.closeMemory();
    return false;
  }

  /** Uses what it borrowed. */
  synchronized void use() {
    if (!leases.isEmpty() && mayBorrow()) {
      isUsed = true;
      shelf.lay(leases.stream().flatMap(lease -> lease.addresses().stream()).toList());
      lending.borrowed(room, shelf.chunks());
    }
  }

  /**
   * Gives back what it borrowed, if no state lies there. While a copy that failed may still write
   * there, it keeps all until it is asked again, or the process ends.
   */
  synchronized void giveBack() {
    if (!leases.isEmpty() && lending.returns(room) && isStill()) {
      leases.forEach(BorrowedChunks::end);
      leases.clear();
      isUsed = false;
    }
  }

  private synchronized boolean isStill() {
    boolean still = shelf.isStill();
    if (!still && !told) {
      LOG.warn("a failed copy may still write to {}: the leases stay", shelf.name());
    }
    told = !still;
    return still;
  }

  private static void end(Lease lease) {
    lease.closeMemory();
    lease.link().close();
  }

  /** The history is closed: gives all back, and borrows no more. */
  synchronized void close() {
    closed = true;
    giveBack();
  }

  /** The lender needs its memory: whether it has it back. */
  private boolean vacate(Lease lease) {
    synchronized (vacating) {
      if (has(lease) && lending.evacuate(room)) {
        giveBack();
      }
    }
    boolean stays = has(lease);
    if (stays && isStill()) {
      LOG.info("no other room for states in the memory of device {}: they stay", lease.lender());
    }
    return !stays;
  }

  private synchronized boolean has(Lease lease) {
    return leases.contains(lease);
  }

  /** Whether states may lie at a lender that is gone; no copy reaches them from now on. */
  private synchronized boolean mayHoldStates(Lease lease) {
    if (isUsed && leases.contains(lease)) {
      shelf.gone(lease.addresses());
      return true;
    }
    if (leases.remove(lease)) {
      end(lease);
    }
    return false;
  }

  /** The lender has ended, or does not keep to the rules: nothing there counts any more. */
  private void gone(Lease lease) {
    if (!mayHoldStates(lease)) {
      return;
    }
    List<Long> lost = lending.lose(room, shelf::isGone);
    if (!lost.isEmpty()) {
      LOG.warn("device {} is gone, and with it the states of steps {}", lease.lender(), lost);
    }
    giveBack();
  }
}
