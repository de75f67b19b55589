package io.cairn.lab.study.pattern;

import static io.cairn.lab.study.pattern.Platforms.logUniform;

import java.util.Random;

/** Random platforms of two levels. */
final class TwoLevelPlatforms {
  private TwoLevelPlatforms() {}

  static TwoLevelPlatform random(Random random) {
    double rate1 = logUniform(random, 1e-6, 2e-4);
    double cost = logUniform(random, 100, 5000);
    return new TwoLevelPlatform(
        rate1,
        rate1 * logUniform(random, 0.02, 1),
        logUniform(random, 1, 100),
        logUniform(random, 1, 100),
        cost,
        cost,
        logUniform(random, 10, 5000),
        0.2 * random.nextDouble(),
        random.nextBoolean(),
        random.nextBoolean());
  }
}
