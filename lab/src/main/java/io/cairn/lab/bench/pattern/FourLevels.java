package io.cairn.lab.bench.pattern;

import io.cairn.lab.study.pattern.CheckpointLevel;
import io.cairn.lab.study.pattern.LevelStack;
import java.util.ArrayList;
import java.util.List;

/**
 * Published platforms with four levels (Benoit et al., "Towards Optimal Multi-Level Checkpointing",
 * IEEE TC 66(7), 2017, Tables 1 and 4): from healthy to hardly usable. Recoveries cost what
 * checkpoints do.
 */
public enum FourLevels {
  /** Set B. */
  SET_B,
  /** Case #A. */
  CASE_A,
  /** Case #B. */
  CASE_B;

  LevelStack levels() {
    return switch (this) {
      case SET_B -> stack(List.of(10, 30, 50, 150), List.of(36_000, 72_000, 144_000, 720_000));
      case CASE_A -> stack(List.of(8, 10, 80, 90), List.of(2160, 1440, 8640, 21_600));
      case CASE_B -> stack(List.of(1, 20, 60, 70), List.of(864, 864, 1080, 1440));
    };
  }

  /** Counts of a pattern of 24 segments that uses all levels. */
  static List<Integer> countsOf24() {
    return List.of(3, 2, 4);
  }

  private static LevelStack stack(List<Integer> costs, List<Integer> mtbfs) {
    List<CheckpointLevel> levels = new ArrayList<>();
    for (int index = 0; index < costs.size(); index++) {
      int cost = costs.get(index);
      levels.add(CheckpointLevel.ofMtbf("level " + (index + 1), mtbfs.get(index), cost, cost));
    }
    return new LevelStack(levels);
  }
}
