package io.cairn.flush.restore;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.Level;
import io.cairn.core.model.Member;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/** A place where copies of checkpoints may be: a store, or a device cache. Thread-safe. */
public interface CopySource {
  /** The level that it stands for. */
  Level level();

  /** The place, as users know it. */
  String describe();

  /**
   * The checkpoints of a group that it has something of.
   *
   * @param member the rank that asks; checkpoints that hold only other ranks' data are named, too,
   *     since they also tell which line of training is the newest
   * @throws IOException if it cannot say; then nobody may conclude that there is nothing
   */
  Map<CheckpointId, Holding> holdings(Member member) throws IOException;

  /**
   * Opens a rank's copy.
   *
   * @return empty if the source has none
   * @throws IOException if there is one and it cannot be used, naming where and why
   */
  Optional<Copy> open(CheckpointId id, int rank) throws IOException;
}
