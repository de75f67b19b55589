package io.cairn.core.sharing;

import java.util.List;

/**
 * What a receiver holds under one lease: verified and acknowledged.
 *
 * @param id the lease
 * @param orphaned whether its sender is dead
 * @param inSlots chunks in slots
 * @param elsewhere chunks that were revoked and are in the receiver's host memory, or at NODE
 */
public record Holding(
    LeaseId id, boolean orphaned, List<HeldChunk> inSlots, List<FilledChunk> elsewhere) {
  /** Copies the lists. */
  public Holding {
    inSlots = List.copyOf(inSlots);
    elsewhere = List.copyOf(elsewhere);
  }

  boolean holdsAny() {
    return inSlots.size() + elsewhere.size() > 0;
  }
}
