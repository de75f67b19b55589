package io.cairn.adjoint.history;

import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory;
import java.util.List;

/**
 * The memory of one history that lends and borrows.
 *
 * @param device of the history
 * @param chunkBytes length of a chunk
 * @param slabs the memory of its states, which it lends
 * @param ledger of the history
 * @param room of the chunks that it borrows
 * @param shelf the same chunks
 */
record LoanMemory(
    DeviceMemory device,
    int chunkBytes,
    List<DeviceAddress> slabs,
    Ledger ledger,
    Room room,
    MemoryShelf shelf) {
  LoanMemory {
    slabs = List.copyOf(slabs);
  }

  /** All slabs but the last one have so many chunks. */
  int chunksPerSlab() {
    return HistorySettings.SEGMENT_BYTES / chunkBytes;
  }

  Lending lending() {
    return ledger.lending();
  }
}
