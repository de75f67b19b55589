package io.cairn.lab.study.simulate;

import io.cairn.lab.study.failure.Exposure;
import io.cairn.lab.study.failure.FailureSource;
import io.cairn.lab.study.failure.PatternSimulator;
import io.cairn.lab.study.failure.SimulatedLevel;
import io.cairn.lab.study.failure.SimulatedPattern;
import io.cairn.lab.study.failure.SimulationRules;
import io.cairn.lab.study.pattern.CheckpointLevel;
import io.cairn.lab.study.pattern.CheckpointPattern;
import io.cairn.lab.study.pattern.FailureModel;
import io.cairn.lab.study.pattern.LevelStack;
import io.cairn.lab.study.pattern.PatternAssumptions;
import io.cairn.lab.study.pattern.RecoveryCost;
import java.util.ArrayList;
import java.util.List;

/** Says a platform and a pattern of the calculator in the simulator's words. */
public final class PatternSimulation {
  private PatternSimulation() {}

  /** The simulator of a pattern under the same assumptions as the calculator's. */
  public static PatternSimulator of(
      LevelStack platform,
      PatternAssumptions assumptions,
      CheckpointPattern pattern,
      FailureSource failures) {
    LevelStack selected = platform.select(pattern.subset(), assumptions.costs());
    List<SimulatedLevel> levels = new ArrayList<>();
    for (int i = 0; i < selected.size(); i++) {
      CheckpointLevel level = selected.level(i + 1);
      levels.add(
          SimulatedLevel.blocking(
              pattern.subset().get(i), level.checkpointSeconds(), level.recoverySeconds()));
    }
    SimulatedPattern own =
        SimulatedPattern.nested(levels, pattern.counts(), pattern.lengthSeconds());
    boolean cumulative = assumptions.recovery() == RecoveryCost.CUMULATIVE;
    return new PatternSimulator(
        cumulative ? own.withCumulativeRecovery() : own,
        failures,
        SimulationRules.of(exposure(assumptions.failures())));
  }

  private static Exposure exposure(FailureModel model) {
    return switch (model) {
      case COMPUTATION_ONLY -> Exposure.COMPUTATION_ONLY;
      case EVERYWHERE -> Exposure.EVERYWHERE;
      case ATOMIC_CHAIN_EXCEPT_RECOVERY -> Exposure.ATOMIC_CHAIN_EXCEPT_RECOVERY;
    };
  }
}
