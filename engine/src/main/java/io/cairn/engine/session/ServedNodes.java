package io.cairn.engine.session;

import java.time.Duration;

/** The nodes whose copies other processes serve to this one. Thread-safe. */
public interface ServedNodes {
  /** None: this process reads its own places alone. */
  ServedNodes NONE =
      new ServedNodes() {
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
   * Whether a process serves this node, as far as is known: it is registered, and left no question
   * unanswered lately. The own node is. May ask the desk, and wait for its answer.
   */
  boolean isReached(String node);

  /** How long a restore waits for a node that is known to have a newer copy. */
  Duration patience();
}
