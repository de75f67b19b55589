package io.cairn.adjoint.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Schedules over tiers that work beside the program. */
class OverlappedScheduleTest {
  /** Steps, tiers and times of a program. */
  private record Problem(int steps, List<Tier> tiers, int forward, int backward) {
    OverlappedSchedule solved() {
      return Schedules.overlapped(steps, tiers, forward, backward);
    }

    /** Few steps, one tier below tier 0, and small times. */
    static Problem small(Random random, int mostSteps) {
      int copy = random.nextInt(3);
      Tier device = new Tier("device", 1 + random.nextInt(3), copy, copy);
      int slots = random.nextInt(5) - 1;
      Tier room = new Tier("room", slots, 1 + random.nextInt(15), 1 + random.nextInt(15));
      return new Problem(
          1 + random.nextInt(mostSteps),
          List.of(device, room),
          1 + random.nextInt(6),
          1 + random.nextInt(9));
    }

    /** Any number of tiers, and any prices. */
    static Problem wide(Random random, int mostSteps) {
      List<Tier> tiers = new ArrayList<>();
      int copy = random.nextInt(300);
      tiers.add(new Tier("device", 1 + random.nextInt(30), copy, random.nextInt(300)));
      for (int i = random.nextInt(4); i > 0; i--) {
        int slots = random.nextInt(60) - 1;
        tiers.add(new Tier("tier", slots, random.nextInt(5000), random.nextInt(5000)));
      }
      return new Problem(
          1 + random.nextInt(mostSteps), tiers, random.nextInt(1000), random.nextInt(2000));
    }

    /** Device, host memory, files nearby and files far away, of a program of long steps. */
    static Problem realistic(Random random, int steps) {
      int copy = (int) between(random, 5, 150);
      double host = between(random, 200, 2000);
      double near = between(random, 1000, 10_000);
      double far = between(random, 5000, 50_000);
      return new Problem(
          steps,
          List.of(
              new Tier("device", (int) between(random, 20, 2000), copy, copy),
              tier("host", (int) between(random, 100, 20_000), host, between(random, 0.7, 1.4)),
              tier("near", (int) between(random, 1000, 100_000), near, between(random, 0.5, 1.4)),
              tier("far", Tier.UNLIMITED, far, between(random, 0.5, 1.4))),
          1000,
          (int) between(random, 1000, 4000));
    }

    private static Tier tier(String name, int slots, double write, double ratio) {
      return new Tier(name, slots, (long) write, (long) (write * ratio));
    }

    /** Small values are as likely as large ones. */
    private static double between(Random random, double least, double most) {
      return least * Math.pow(most / least, random.nextDouble());
    }
  }

  @Test
  void isAsFastAsAnythingOrNearlySo() {
    int exact = 0;
    int cases = 40;
    for (int seed = 0; seed < cases; seed++) {
      Problem problem = Problem.small(new Random(seed), 5);
      OverlappedSchedule schedule = problem.solved();

      long least =
          OverlapOracle.time(
              problem.steps(), problem.tiers(), problem.forward(), problem.backward());

      assertThat(schedule.leastTime()).as("seed %d: %s", seed, problem).isLessThanOrEqualTo(least);
      assertThat((double) schedule.time())
          .as("seed %d: %s", seed, problem)
          .isBetween((double) least, 1.1 * least);
      exact += schedule.time() == least ? 1 : 0;
    }
    assertThat(exact).as("cases of %d with the least time", cases).isGreaterThan(36);
  }

  @Test
  void aJudgeMeasuresThePredictedTime() {
    int exact = 0;
    for (int seed = 0; seed < 400; seed++) {
      Random random = new Random(seed);
      Problem problem = seed % 2 == 0 ? Problem.small(random, 12) : Problem.wide(random, 300);
      OverlappedSchedule schedule = problem.solved();

      long measured = OverlapJudge.time(schedule, problem.forward(), problem.backward());

      // The prediction lets a segment begin when all its slots are free.
      assertThat(measured)
          .as("seed %d: %s", seed, problem)
          .isBetween(schedule.leastTime(), schedule.time())
          .isGreaterThanOrEqualTo((long) (0.95 * schedule.time()));
      exact += measured == schedule.time() ? 1 : 0;
      assertThat(Judge.cost(schedule, 1)).as("seed %d", seed).isNotNegative();
    }
    assertThat(exact).as("exact predictions of 400").isGreaterThan(390);
  }

  @Test
  void isNearItsBoundForManyStepsOverFourTiers() {
    for (int seed = 0; seed < 12; seed++) {
      Problem problem = Problem.realistic(new Random(seed), 100_000);

      OverlappedSchedule schedule = problem.solved();

      assertThat((double) schedule.time() / schedule.leastTime())
          .as("seed %d: %s", seed, problem)
          .isBetween(1.0, 1.02);
    }
  }

  @Test
  void nothingRunsAgainIfTheLinksCarryEveryState() {
    List<Tier> tiers = List.of(new Tier("device", 8, 1, 1), new Tier("host", -1, 9, 9));

    OverlappedSchedule schedule = Schedules.overlapped(1000, tiers, 10, 20);

    assertThat(schedule.cost().advances()).isEqualTo(999);
    assertThat(schedule.time()).isEqualTo(schedule.leastTime()).isEqualTo(999 * 32 + 20);
  }

  @Test
  void runsStepsAgainWhileSlowReadsComeUp() {
    List<Tier> tiers = List.of(new Tier("device", 8, 0, 0), new Tier("files", -1, 1, 30));

    OverlappedSchedule schedule = Schedules.overlapped(10_000, tiers, 10, 10);

    // Half of the states come up in 15 a step: 10 to reverse it, and 10 to run every other one.
    assertThat(schedule.cost().advances()).isBetween(14_900L, 15_100L);
    assertThat(schedule.leastTime()).isBetween(249_000L, schedule.time());
    assertThat(schedule.time()).isLessThan(251_000);
  }

  @Test
  void anArgumentThatIsOutOfRangeIsNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Schedules.overlapped(0, List.of(Tier.free(1)), 1, 1))
        .withMessageContaining("0 steps");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Schedules.overlapped(5, List.of(), 1, 1))
        .withMessageContaining("0 tiers");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Schedules.overlapped(5, List.of(Tier.free(0)), 1, 1))
        .withMessageContaining("memory, the nearest one, has no slot");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Schedules.overlapped(5, List.of(Tier.free(1)), 1, -1))
        .withMessageContaining("-1 backward");
  }
}
