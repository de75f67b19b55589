package io.cairn.core.protocol;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The checkpoints of a group at STORE, as far as they concern one rank. The coordinator lists them
 * after it took an epoch, so that each rank need not. Older attempts are fenced by then, so the
 * newest checkpoint that was reported as sealed is among them.
 *
 * @param holdings each checkpoint once
 */
public record RankSurvey(List<RankHolding> holdings) {
  /** Copies the list, and checks that no checkpoint is listed twice. */
  public RankSurvey {
    holdings = List.copyOf(holdings);
    Set<CheckpointId> ids = new HashSet<>();
    for (RankHolding holding : holdings) {
      if (!ids.add(holding.id())) {
        throw new IllegalArgumentException("a survey lists " + holding.id() + " twice");
      }
    }
  }

  /** Whether all checkpoints are of this group. */
  public boolean isOf(GroupId group) {
    return holdings.stream().allMatch(holding -> holding.id().group().equals(group));
  }
}
