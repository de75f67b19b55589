package io.cairn.core.model;

import io.cairn.CheckpointId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The descent of an epoch: for each older epoch, the iteration at which this line of training left
 * it. A checkpoint of an older epoch is an ancestor only if its epoch is listed and its iteration
 * is not beyond the listed one. All other checkpoints of older epochs belong to abandoned attempts.
 *
 * <p>Grows by one entry of 16 bytes per restart, so readers need no chain of parents.
 *
 * @param steps by rising epoch
 */
public record Ancestry(List<Step> steps) {
  /** The start of a line: nothing older counts. */
  public static final Ancestry NONE = new Ancestry(List.of());

  /** The line left {@code epoch} at {@code iteration}. */
  public record Step(long epoch, long iteration) {}

  /** Checks that epochs rise strictly. */
  public Ancestry {
    steps = List.copyOf(steps);
    for (int i = 1; i < steps.size(); i++) {
      if (steps.get(i).epoch() <= steps.get(i - 1).epoch()) {
        throw new IllegalArgumentException("epochs of an ancestry must rise: " + steps);
      }
    }
  }

  /** The ancestry of a new epoch that resumes from {@code base}, whose own ancestry this is. */
  public Ancestry continuedFrom(CheckpointId base) {
    Map<Long, Step> byEpoch = new TreeMap<>();
    for (Step step : steps) {
      if (step.epoch() < base.epoch()) {
        byEpoch.put(step.epoch(), step);
      }
    }
    byEpoch.put(base.epoch(), new Step(base.epoch(), base.iteration()));
    return new Ancestry(List.copyOf(byEpoch.values()));
  }

  /** Whether a checkpoint of an older epoch lies on this line. O(steps). */
  public boolean contains(CheckpointId id) {
    return steps.stream()
        .anyMatch(step -> step.epoch() == id.epoch() && id.iteration() <= step.iteration());
  }
}
