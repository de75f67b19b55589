package io.cairn.core.cadence;

import io.cairn.core.model.Level;

/** Which iteration goes to which level. Immutable; the same for every rank of a group. */
public interface Cadence {
  /**
   * Whether iteration {@code iteration} is to be sealed at {@code level}. What is due at a level is
   * due at every level below that is in use, since each level reads from the one below. O(1).
   */
  boolean due(Level level, long iteration);
}
