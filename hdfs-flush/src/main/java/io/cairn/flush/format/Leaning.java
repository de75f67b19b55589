package io.cairn.flush.format;

import io.cairn.core.model.ContainerSummary;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * How a container leans on older ones: it leaves out the chunks that are as they were in its base.
 *
 * @param base the older container; without one every chunk is written
 * @param maxHolders the most containers to lean on; with 0 every chunk is written, and none is
 *     hashed
 */
public record Leaning(Optional<Base> base, int maxHolders) {
  /** Every chunk is written, and none is hashed. */
  public static final Leaning NONE = new Leaning(Optional.empty(), 0);

  /** Checks the bound. */
  public Leaning {
    if (maxHolders < 0 || maxHolders > ContainerSummary.MAX_HOLDERS) {
      throw new IllegalArgumentException(
          maxHolders + " holders: 0 to " + ContainerSummary.MAX_HOLDERS);
    }
  }

  /**
   * Loads the library of hashes.
   *
   * @throws IOException if it is absent; the message names it
   */
  public static void requireLibrary() throws IOException {
    try {
      var unused = ContentHasher.before(ByteBuffer.allocate(0));
    } catch (LinkageError e) {
      throw new IOException(
          "com.dynatrace.hash4j:hash4j is not on the class path; without it maxLayers must be 0",
          e);
    }
  }
}
