package io.cairn.adjoint.history;

import java.io.IOException;
import java.util.Locale;

/** The comparison of checksums, with one message for all places. */
final class Checksums {
  private Checksums() {}

  static void require(State state, int chunk, int found, String where) throws IOException {
    if (found != state.checksums[chunk]) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "chunk %d of step %d %s has checksum %08x; %08x was stored",
              chunk,
              state.step,
              where,
              found,
              state.checksums[chunk]));
    }
  }
}
