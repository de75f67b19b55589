package io.cairn.dl4j;

import java.io.IOException;
import java.nio.ByteBuffer;

/** The regions of one rank's checkpoint, as a store holds them. Not thread-safe. */
public interface SavedRegions {
  /** Bytes of a region, or -1 if the checkpoint has none of that name. */
  long bytes(String region);

  /**
   * Reads a region from its start to its end, verified.
   *
   * @param into receives the bytes in pieces, in their order
   * @throws IOException if the region cannot be read, or a piece does not match its checksum
   */
  void read(String region, Sink into) throws IOException;

  /** Takes the next piece of a region; the buffer is valid during the call alone. */
  @FunctionalInterface
  interface Sink {
    /** Reads all that remains in the buffer. */
    void take(ByteBuffer piece);
  }
}
