package io.cairn.flush.commit;

import io.cairn.core.model.CheckpointId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Which of a group's sealed checkpoints are kept: the newest few, and landmarks. A landmark is the
 * first checkpoint of each window of so many iterations.
 *
 * @param newest how many of the newest, at least 1
 * @param everyIterations the length of a window; 0 for no landmarks
 */
public record RetentionPolicy(int newest, long everyIterations) {
  /** Checks both numbers. */
  public RetentionPolicy {
    if (newest < 1 || everyIterations < 0) {
      throw new IllegalArgumentException(
          "keep %d checkpoints, and the first of each %d iterations: keep at least 1, and 0 or more"
              .formatted(newest, everyIterations));
    }
  }

  /** Keeps the newest ones alone. */
  public static RetentionPolicy newest(int newest) {
    return new RetentionPolicy(newest, 0);
  }

  /**
   * The checkpoints to keep. A landmark stays one, whatever follows it. O(n).
   *
   * @param alive of one line, the newest first
   * @return in the same order
   */
  List<CheckpointId> kept(List<CheckpointId> alive) {
    List<CheckpointId> kept = new ArrayList<>();
    for (int i = alive.size() - 1; i >= 0; i--) {
      if (i < newest || isFirstOfWindow(alive, i)) {
        kept.add(alive.get(i));
      }
    }
    Collections.reverse(kept);
    return kept;
  }

  private boolean isFirstOfWindow(List<CheckpointId> alive, int index) {
    return everyIterations > 0
        && (index == alive.size() - 1 || window(alive.get(index)) != window(alive.get(index + 1)));
  }

  private long window(CheckpointId id) {
    return id.iteration() / everyIterations;
  }
}
