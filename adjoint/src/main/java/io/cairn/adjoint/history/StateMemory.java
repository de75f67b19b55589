package io.cairn.adjoint.history;

import io.cairn.cache.memory.DeviceAddress;
import java.io.IOException;
import java.util.List;

/**
 * The memory of a history on a device, in chunks, and the moves of states between it and the
 * program. Each method moves one state whose chunks nobody else uses. The program's thread owns it.
 */
interface StateMemory extends AutoCloseable {
  /** Copies the program's regions to the state's chunks, and computes their checksums. */
  void copyIn(RegionSet from, State state) throws IOException;

  /**
   * Copies the state's chunks to the program's regions, each chunk after its checksum was compared.
   *
   * @throws IOException naming the chunk, if its checksum is another one
   */
  void copyOut(State state, RegionSet to) throws IOException;

  /** Moves between this memory and shelves, for one thread alone. */
  Transfer transfer();

  /** Its allocations; all but the last one have {@link HistorySettings#SEGMENT_BYTES}. */
  List<DeviceAddress> slabs();

  @Override
  void close();

  /** Moves states between the device and shelves. One thread owns it. */
  interface Transfer {
    /** Writes the state's chunks to its chunks on the shelf. */
    void write(State state, Shelf shelf) throws IOException;

    /** Reads the state's chunks from its chunks on the shelf. */
    void read(State state, Shelf shelf) throws IOException;
  }
}
