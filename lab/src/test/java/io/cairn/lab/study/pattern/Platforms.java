package io.cairn.lab.study.pattern;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random platforms, from healthy ones to such that hardly get any work done. */
public final class Platforms {
  private Platforms() {}

  /** Levels of falling rates and rising costs, as platforms have them; at times out of order. */
  public static LevelStack random(Random random, int size) {
    List<CheckpointLevel> levels = new ArrayList<>();
    double rate = logUniform(random, 1e-6, 1e-3);
    double cost = logUniform(random, 0.1, 20);
    for (int number = 1; number <= size; number++) {
      levels.add(
          new CheckpointLevel("level-" + number, rate, cost, cost * 2 * random.nextDouble()));
      rate *= logUniform(random, 0.05, 1.5);
      cost *= logUniform(random, 0.8, 12);
    }
    return new LevelStack(levels);
  }

  public static int[] counts(Random random, int levels, int most) {
    return random.ints(levels - 1L, 1, most + 1).toArray();
  }

  public static List<Integer> list(int[] counts) {
    return java.util.Arrays.stream(counts).boxed().toList();
  }

  public static double logUniform(Random random, double least, double most) {
    return least * Math.exp(random.nextDouble() * Math.log(most / least));
  }
}
