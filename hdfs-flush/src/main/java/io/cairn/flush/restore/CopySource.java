package io.cairn.flush.restore;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.core.model.Fingerprint;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** A source of copies of checkpoints, such as a store or a device cache. Thread-safe. */
public interface CopySource {
  /** The level of the source. */
  Level level();

  /** The location, for people. */
  String describe();

  /**
   * The checkpoints of a group of which the source holds any data.
   *
   * @param member the asking rank; the result includes checkpoints with only other ranks' data,
   *     since they also determine the newest line
   * @throws IOException if the source cannot be read; callers must not conclude that it is empty
   */
  Map<CheckpointId, Holding> holdings(Member member) throws IOException;

  /**
   * The programs that wrote a checkpoint's ranks, as far as manifests here say; by default none.
   *
   * @throws IOException if a manifest exists and cannot be used; names location and reason
   */
  default Map<Integer, Fingerprint> programs(CheckpointId id) throws IOException {
    return Map.of();
  }

  /** Whether it can open copies of other ranks than the one that it was made for, if of any. */
  default boolean ofAllRanks() {
    return true;
  }

  /** How many threads read one copy faster than fewer would, each through a copy of its own. */
  default int lanes() {
    return 1;
  }

  /**
   * Opens a rank's copy.
   *
   * @return empty if the source has none
   * @throws IOException if a copy exists and cannot be used; names location and reason
   */
  Optional<Copy> open(CheckpointId id, int rank) throws IOException;
}
