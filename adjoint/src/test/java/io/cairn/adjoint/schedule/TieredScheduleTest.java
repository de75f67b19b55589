package io.cairn.adjoint.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Schedules over several tiers. */
class TieredScheduleTest {
  @Test
  void costsWhatTheOracleSays() {
    List<Oracle> cases = Oracle.of("tiers");
    assertThat(cases).hasSize(95);
    for (Oracle one : cases) {
      int forwardCost = one.given("uf");
      Schedule schedule = Schedules.tiers(one.given("n"), tiers(one), forwardCost);
      long reversals = (long) one.given("n") * one.given("ub");
      long cost = Judge.cost(schedule, forwardCost) + reversals;
      assertThat(schedule.cost().total(schedule.tiers(), forwardCost) + reversals)
          .as("%s", one)
          .isEqualTo(cost);
      assertThat(cost).as("%s", one).isEqualTo(one.expected("levelOrdered"));
      if (one.answer().path("ordered").asBoolean() && one.answer().hasNonNull("optimum")) {
        assertThat(cost).as("%s", one).isEqualTo(one.expected("optimum"));
      }
    }
  }

  private static List<Tier> tiers(Oracle one) {
    List<Tier> tiers = new ArrayList<>();
    for (int i = 0; i < one.problem().path("caps").size(); i++) {
      tiers.add(
          new Tier(
              "tier " + i,
              one.problem().path("caps").path(i).asInt(),
              one.problem().path("w").path(i).asLong(),
              one.problem().path("r").path(i).asLong()));
    }
    return tiers;
  }

  @Test
  void anUnlimitedDiskIsReadOften() {
    List<Oracle> cases = Oracle.of("disk");
    assertThat(cases).hasSize(30);
    for (Oracle one : cases) {
      int steps = one.given("n");
      int forwardCost = one.given("uf");
      Tier disk = new Tier("disk", Tier.UNLIMITED, one.given("wd"), one.given("rd"));
      List<Tier> tiers = List.of(Tier.free(one.given("ram")), disk);
      long cost = Judge.cost(Schedules.tiers(steps, tiers, forwardCost), forwardCost);
      assertThat(cost + (long) steps * one.given("ub"))
          .as("%s", one)
          .isEqualTo(one.expected("readOften"));
    }
  }

  @Test
  void oneFreeTierIsBinomial() {
    for (int steps = 1; steps <= 40; steps++) {
      for (int slots = 1; slots <= 6; slots++) {
        assertThat(Judge.cost(Schedules.tiers(steps, List.of(Tier.free(slots)), 1), 1))
            .as("%d steps, %d slots", steps, slots)
            .isEqualTo(Binomial.advances(steps, slots));
      }
    }
  }

  @Test
  void everyScheduleKeepsItsLimitsAndCostsWhatItsTablesSay() {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      List<Tier> tiers = new ArrayList<>();
      for (int i = 1 + random.nextInt(4); i > 0; i--) {
        int slots = random.nextInt(6) - 1;
        tiers.add(new Tier("tier", slots, random.nextInt(20), random.nextInt(20)));
      }
      tiers.add(Tier.free(1));
      int forwardCost = random.nextInt(10);
      TieredSchedule schedule = new TieredSchedule(1 + random.nextInt(60), tiers, forwardCost);
      assertThat(Judge.cost(schedule, forwardCost))
          .as("seed %d: %d steps over %s", seed, schedule.steps(), tiers)
          .isEqualTo(schedule.least());
    }
  }

  @Test
  void anArgumentThatIsOutOfRangeIsNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Schedules.tiers(5, List.of(Tier.free(0)), 1))
        .withMessageContaining("no tier has one");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Schedules.tiers(0, List.of(Tier.free(1)), 1))
        .withMessageContaining("0 steps");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Schedules.tiers(5, List.of(), 1))
        .withMessageContaining("0 tiers");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Schedules.tiers(100_000, List.of(Tier.free(1000)), 1))
        .withMessageContaining("group steps, or use fewer slots");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Tier("disk", -2, 0, 0))
        .withMessageContaining("-2 slots");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Tier("disk", 1, -1, 0))
        .withMessageContaining("-1 to write");
  }
}
