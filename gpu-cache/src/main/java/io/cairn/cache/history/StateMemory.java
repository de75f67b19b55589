package io.cairn.cache.history;

import java.io.IOException;

/**
 * The memory of a history on a device, in chunks, and the moves of states between it, the program
 * and the files. Each method moves one state whose chunks nobody else uses. {@link #copyIn} and
 * {@link #copyOut} belong to the program's thread, {@link #write} to the one that writes down,
 * {@link #read} to the one that brings up.
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

  /** Writes the state's chunks to its chunks in the files. */
  void write(State state, Segments files) throws IOException;

  /** Reads the state's chunks from its chunks in the files. */
  void read(State state, Segments files) throws IOException;

  @Override
  void close();
}
