package io.cairn.flush.restore;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.Member;
import java.util.Map;
import java.util.Optional;

/**
 * The chunks that have landed, as the nearest copy of their checkpoint. The memory outlives the
 * copy.
 */
record LandedChunks(Copy copy) implements CopySource {
  @Override
  public Level level() {
    return Level.DEVICE;
  }

  @Override
  public String describe() {
    return copy.describe();
  }

  @Override
  public Map<CheckpointId, Holding> holdings(Member member) {
    return Map.of();
  }

  @Override
  public Optional<Copy> open(CheckpointId id, int rank) {
    return Optional.of(copy);
  }
}
