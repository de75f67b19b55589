package io.cairn.engine.session;

import io.cairn.core.protocol.RankSurvey;
import io.cairn.flush.restore.RestorePlanner;
import java.time.Duration;
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
  default Nodes nodes() {
    return Nodes.NONE;
  }

  /** A planner that asks every source anew. */
  default RestorePlanner planner() {
    return planner(Optional.empty());
  }

  /** The nodes whose copies other processes serve to this one. Thread-safe. */
  interface Nodes {
    /** None: this process reads its own places alone. */
    Nodes NONE =
        new Nodes() {
          @Override
          public String own() {
            return "";
          }

          @Override
          public boolean isReached(String node) {
            return false;
          }

          @Override
          public Duration patience() {
            return Duration.ZERO;
          }
        };

    /** The name of this process's node; empty if no other process reads it. */
    String own();

    /**
     * Whether a process serves this node, as far as is known: it is registered, and left no
     * question unanswered lately. The own node is. May ask the desk, and wait for its answer.
     */
    boolean isReached(String node);

    /** How long a restore waits for a node that is known to have a newer copy. */
    Duration patience();
  }
}
