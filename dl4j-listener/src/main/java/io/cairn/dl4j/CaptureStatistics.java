package io.cairn.dl4j;

import io.cairn.Level;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * Outcomes of a training's checkpoints so far. Seals arrive later than captures; after {@code
 * close()} the figures are final.
 *
 * @param captured checkpoints whose copy was taken
 * @param skipped checkpoints that the group left out, for want of room
 * @param failed checkpoints whose capture failed; the training continued without them
 * @param fenced whether a later attempt of the group exists, so that this one does not capture
 *     until it restores
 * @param sealed checkpoints sealed, per level; every level is present
 * @param stall time that the training spent inside the callbacks
 */
public record CaptureStatistics(
    long captured,
    long skipped,
    long failed,
    boolean fenced,
    Map<Level, Long> sealed,
    StallStatistics stall) {
  /** Copies the map. */
  public CaptureStatistics {
    sealed = Collections.unmodifiableMap(new EnumMap<>(sealed));
  }
}
