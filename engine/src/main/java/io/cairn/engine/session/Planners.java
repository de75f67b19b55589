package io.cairn.engine.session;

import io.cairn.core.protocol.RankSurvey;
import io.cairn.flush.restore.RestorePlanner;
import java.util.Optional;

/** Makes planners, each for one survey or verification of one rank. Thread-safe. */
@FunctionalInterface
public interface Planners {
  /**
   * A planner of the nearest copies first.
   *
   * @param atStore the rank's survey of STORE; without one STORE is listed
   */
  RestorePlanner planner(Optional<RankSurvey> atStore);

  /** The nodes that the planners ask, beside the process's own places. */
  default ServedNodes nodes() {
    return ServedNodes.NONE;
  }

  /** A planner that asks every source anew. */
  default RestorePlanner planner() {
    return planner(Optional.empty());
  }
}
