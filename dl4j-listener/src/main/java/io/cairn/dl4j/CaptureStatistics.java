package io.cairn.dl4j;

import io.cairn.core.model.Level;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * What became of a training's checkpoints so far. Seals arrive later than captures; after {@code
 * close()} the figures are final.
 *
 * @param captured checkpoints whose copy was taken
 * @param skipped left out by the group for want of room
 * @param failed neither; the training went on without them
 * @param fenced a later attempt of the group exists, and this one stopped capturing
 * @param sealed checkpoints sealed, per level; every level is present
 * @param stall time inside the callbacks
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
