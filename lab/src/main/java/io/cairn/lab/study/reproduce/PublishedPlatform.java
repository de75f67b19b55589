package io.cairn.lab.study.reproduce;

import io.cairn.lab.study.pattern.CheckpointLevel;
import io.cairn.lab.study.pattern.LevelStack;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of one set or case; failures are given as rates or as mean times between them.
 *
 * @param name as the papers name it
 * @param where they stand
 */
record PublishedPlatform(
    String name,
    String where,
    List<Double> checkpointSeconds,
    List<Double> recoverySeconds,
    @Nullable List<Double> failuresPerSecond,
    @Nullable List<Double> mtbfSeconds) {

  LevelStack levels() {
    List<CheckpointLevel> levels = new ArrayList<>();
    for (int index = 0; index < checkpointSeconds.size(); index++) {
      levels.add(
          new CheckpointLevel(
              "level " + (index + 1),
              rate(index),
              checkpointSeconds.get(index),
              recoverySeconds.get(index)));
    }
    return new LevelStack(levels);
  }

  private double rate(int index) {
    if (failuresPerSecond != null) {
      return failuresPerSecond.get(index);
    }
    if (mtbfSeconds == null) {
      throw new IllegalStateException("platform " + name + " has no failures");
    }
    return 1 / mtbfSeconds.get(index);
  }
}
