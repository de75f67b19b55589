package io.cairn.lab.bench.failover;

import io.cairn.lab.bench.failover.RankEvent.What;
import java.util.List;
import java.util.Optional;

/**
 * One kill of a rank's executor.
 *
 * @param nanos from the signal to the end of the rank's next iteration
 * @param joinNanos from the signal to the end of the restore
 * @param lostIterations that were captured before the kill and are not in the restored checkpoint
 */
record Failover(long nanos, long joinNanos, long lostIterations) {
  /**
   * How the rank went on; empty if it has not yet.
   *
   * @param events of the rank
   * @param victim the newest event of the killed process when it was killed
   * @param killedNanos when
   */
  static Optional<Failover> of(List<RankEvent> events, RankEvent victim, long killedNanos) {
    long reached = -1;
    Optional<RankEvent> start = Optional.empty();
    for (RankEvent event : events) {
      if (event.pid() == victim.pid() && event.epoch() == victim.epoch()) {
        reached = Math.max(reached, event.iteration());
      } else if (event.epoch() > victim.epoch() && event.what() == What.START) {
        start = Optional.of(event);
      } else if (event.epoch() > victim.epoch() && event.what() == What.STEP && start.isPresent()) {
        return Optional.of(
            new Failover(
                event.nanos() - killedNanos,
                start.get().nanos() - killedNanos,
                Math.max(0, reached - start.get().iteration())));
      }
    }
    return Optional.empty();
  }
}
