package io.cairn.lab.study.schedule;

import io.cairn.core.flow.FlowScheduler;
import io.cairn.core.flow.GreedyScheduler;
import io.cairn.core.flow.LocalOnlyScheduler;
import io.cairn.core.flow.MinTimeMaxFlowScheduler;
import io.cairn.core.flow.ParametricFlowScheduler;
import java.util.Locale;

/** The schedulers under the names that commands know them by. */
public enum Algorithm {
  /** The optimum, with its proof. */
  EXACT,
  /** One chunk and one path after the other, Algorithm 2 of Maurya et al. 2021. */
  MIN_TIME,
  /** The largest remainder first, Algorithm 1 of the same. */
  GREEDY,
  /** All to the host. */
  LOCAL_ONLY;

  /**
   * A scheduler of one's own.
   *
   * @param chunked whether it plans in whole chunks, as min-time always does, or in bytes
   */
  public FlowScheduler scheduler(boolean chunked) {
    return switch (this) {
      case EXACT -> new ParametricFlowScheduler(chunked, false);
      case MIN_TIME -> new MinTimeMaxFlowScheduler();
      case GREEDY -> new GreedyScheduler(chunked);
      case LOCAL_ONLY -> new LocalOnlyScheduler(chunked);
    };
  }

  /** The name in lower case with hyphens. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
