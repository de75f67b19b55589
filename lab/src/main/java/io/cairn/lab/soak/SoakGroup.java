package io.cairn.lab.soak;

import java.io.Serializable;
import java.util.List;

/**
 * A group of the soak.
 *
 * @param name of the group
 * @param chunks of each rank's state
 */
record SoakGroup(String name, List<Integer> chunks) implements Serializable {
  static final int CHUNK_BYTES = 4096;

  /** Slots of each executor's cache: too few for the large ranks, but not for all together. */
  static final int CACHE_SLOTS = 8;

  SoakGroup {
    chunks = List.copyOf(chunks);
  }

  int size() {
    return chunks.size();
  }

  /** Whether it can be at DEVICE only with others' memory. */
  boolean borrows() {
    return chunks.stream().anyMatch(number -> number > CACHE_SLOTS);
  }
}
