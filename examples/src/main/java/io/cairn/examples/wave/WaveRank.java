package io.cairn.examples.wave;

import io.cairn.cache.history.History;
import io.cairn.cache.history.HistoryStats;
import io.cairn.core.adjoint.Schedules;
import io.cairn.core.session.Checkpointer;
import io.cairn.core.session.Region;
import io.cairn.engine.adjoint.AdjointProgram;
import io.cairn.engine.adjoint.AdjointReport;
import io.cairn.engine.adjoint.AdjointRunner;
import java.io.IOException;
import java.util.List;

/** One rank's part of a shot, run by a thread of its own. */
final class WaveRank {
  private static final int CALLS_PER_SEAL = 100;

  /** Is told how far the rank is. */
  interface Listener {
    void at(String phase, long step);
  }

  /**
   * How the part ran.
   *
   * @param resumedAt the call after which it went on, 0 if it began
   */
  record Outcome(long resumedAt, long recomputed, HistoryStats stats) {}

  private final Migration migration;
  private final Listener listener;

  WaveRank(Migration migration, Listener listener) {
    this.migration = migration;
    this.listener = listener;
  }

  /** Runs to the end, and removes the states. */
  Outcome run(History history, Checkpointer checkpointer, int steps) throws IOException {
    AdjointReport report =
        new AdjointRunner(history, checkpointer, CALLS_PER_SEAL)
            .run(new Watched(), Schedules.storeAll(steps));
    HistoryStats stats = history.stats();
    history.delete();
    return new Outcome(report.resumedAt(), report.recomputed(), stats);
  }

  /** The migration, which tells how far it is. */
  private final class Watched implements AdjointProgram {
    @Override
    public List<Region> restart() {
      return migration.restart();
    }

    @Override
    public List<Region> read() {
      return migration.read();
    }

    @Override
    public long readBytes(String region) {
      return migration.readBytes(region);
    }

    @Override
    public List<Region> adjoint() {
      return migration.adjoint();
    }

    @Override
    public void restored() {
      migration.restored();
    }

    @Override
    public long least(long mine) {
      return migration.least(mine);
    }

    @Override
    public void step(long step) {
      migration.step(step);
      listener.at("forward", step);
    }

    @Override
    public void reverse(long step) {
      migration.reverse(step);
      listener.at("backward", step);
    }
  }
}
