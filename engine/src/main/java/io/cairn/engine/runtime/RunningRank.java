package io.cairn.engine.runtime;

import io.cairn.Level;
import io.cairn.Member;
import java.util.Map;

/**
 * A rank that has joined in this process, and has not left. Immutable.
 *
 * @param iteration the last that it reported since it joined or was restored; -1 before the first
 * @param waitingNanos by level, how long the oldest checkpoint has waited that is due there; a
 *     level at which none waits is absent
 */
public record RunningRank(Member member, long iteration, Map<Level, Long> waitingNanos) {
  /** Copies the map. */
  public RunningRank {
    waitingNanos = Map.copyOf(waitingNanos);
  }
}
