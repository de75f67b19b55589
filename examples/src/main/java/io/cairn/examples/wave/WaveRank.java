package io.cairn.examples.wave;

import io.cairn.Checkpointer;
import io.cairn.adjoint.AdjointReport;
import io.cairn.adjoint.AdjointRunner;
import io.cairn.adjoint.history.History;
import io.cairn.adjoint.schedule.Schedules;
import java.io.IOException;

/** One rank's part of a shot, run by a thread of its own. */
final class WaveRank {
  private static final int CALLS_PER_SEAL = 100;

  /**
   * How the part ran.
   *
   * @param resumedAt the call after which it went on, 0 if it began
   */
  record Outcome(long resumedAt, long recomputed, Transfers transfers) {}

  private final Watched migration;

  WaveRank(Watched migration) {
    this.migration = migration;
  }

  /** Runs to the end, and removes the states. */
  Outcome run(History history, Checkpointer checkpointer, int steps) throws IOException {
    AdjointReport report =
        new AdjointRunner(history, checkpointer, CALLS_PER_SEAL)
            .run(migration, Schedules.storeAll(steps));
    Transfers transfers = Transfers.of(history.stats());
    history.delete();
    return new Outcome(report.resumedAt(), report.recomputed(), transfers);
  }
}
