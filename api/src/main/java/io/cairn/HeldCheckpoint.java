package io.cairn;

import java.util.List;

/**
 * A checkpoint of which a rank's data can be read.
 *
 * @param id the checkpoint; names its group, epoch and iteration
 * @param levels that hold the rank's data, the nearest first
 */
public record HeldCheckpoint(CheckpointId id, List<Level> levels) {
  /** Copies the list. */
  public HeldCheckpoint {
    levels = List.copyOf(levels);
  }
}
