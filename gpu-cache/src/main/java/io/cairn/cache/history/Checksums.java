package io.cairn.cache.history;

import java.io.IOException;

/** The comparison of checksums, with one message for all places. */
final class Checksums {
  private Checksums() {}

  static void require(State state, int chunk, int found, String where) throws IOException {
    if (found != state.checksums[chunk]) {
      throw new IOException(
          "chunk %d of step %d %s has checksum %08x; %08x was stored"
              .formatted(chunk, state.step, where, found, state.checksums[chunk]));
    }
  }
}
