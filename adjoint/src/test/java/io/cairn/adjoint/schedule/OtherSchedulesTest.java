package io.cairn.adjoint.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** Schedules with a period, with tapes, and without a known end. */
class OtherSchedulesTest {
  @Test
  void aPeriodAdvancesAsOftenAsTheOracleSays() {
    List<Oracle> cases = Oracle.of("periodic");
    assertThat(cases).hasSize(12);
    for (Oracle one : cases) {
      Schedule schedule = Schedules.periodic(one.given("n"), one.given("period"), one.given("ram"));
      assertThat(Judge.cost(schedule, 1)).as("%s", one).isEqualTo(one.expected("advances"));
      assertThat(schedule.cost().peaks().get(1))
          .as("%s", one)
          .isEqualTo(one.expected("diskCheckpoints") - (oneStepIsLeft(one) ? 1 : 0));
    }
  }

  /** A last segment of one step needs no snapshot: its state lies in WORK. */
  private static boolean oneStepIsLeft(Oracle one) {
    return (one.given("n") - 1) % one.given("period") == 0;
  }

  @Test
  void periodsOfAnyLengthKeepTheirLimits() {
    for (int steps = 1; steps <= 20; steps++) {
      for (int period = 1; period <= steps + 1; period++) {
        for (int snapshots = 0; snapshots <= 4; snapshots++) {
          Schedule schedule = Schedules.periodic(steps, period, snapshots);
          assertThat(Judge.cost(schedule, 1)).isEqualTo(schedule.cost().advances());
        }
      }
    }
  }

  @Test
  void theBestPeriodsAreThoseOfTheOracle() {
    List<Oracle> cases = Oracle.of("bestPeriod");
    assertThat(cases).hasSize(10);
    for (Oracle one : cases) {
      long diskCost = (long) one.given("wd") + one.given("rd");
      BestPeriod best = BestPeriod.of(one.given("ram"), diskCost, one.given("uf"));
      assertThat(best.periods())
          .as("%s", one)
          .isEqualTo(
              StreamSupport.stream(one.answer().path("periods").spliterator(), false)
                  .map(JsonNode::asLong)
                  .toList());
      JsonNode perStep = one.answer().path("costPerStep");
      assertThat(best.cost() * perStep.path(1).asLong())
          .as("%s", one)
          .isEqualTo(perStep.path(0).asLong() * best.periods().get(0));
    }
  }

  @Test
  void mixedRunsAsManyStepsAsTheOracleSays() {
    List<Oracle> cases = Oracle.of("mixed");
    assertThat(cases).hasSize(25);
    for (Oracle one : cases) {
      Schedule schedule = Schedules.mixed(one.given("n"), one.given("s"));
      assertThat(Judge.runs(schedule)).as("%s", one).isEqualTo(one.expected("steps"));
      assertThat(schedule.cost().runs()).as("%s", one).isEqualTo(one.expected("steps"));
    }
  }

  @Test
  void mixedKeepsItsUnits() {
    for (int steps = 1; steps <= 40; steps++) {
      for (int units = 1; units <= 8; units++) {
        Schedule schedule = Schedules.mixed(steps, units);
        long revolve = Binomial.advances(steps, units) + steps;
        assertThat(Judge.runs(schedule)).as("%d, %d", steps, units).isLessThanOrEqualTo(revolve);
        assertThat(schedule.cost().runs()).isEqualTo(Judge.runs(schedule));
      }
    }
  }

  @Test
  void onlineIsOptimalForAsManyStepsAsCanBe() {
    List<Oracle> cases = Oracle.of("onlineUntil");
    assertThat(cases).hasSize(3);
    for (Oracle one : cases) {
      int snapshots = one.given("s");
      assertThat(one.expected("n")).isEqualTo((snapshots + 2L) * (snapshots + 1) / 2 + 1);
    }
    for (int snapshots = 2; snapshots <= 10; snapshots++) {
      for (int steps = 1; steps <= (snapshots + 2) * (snapshots + 1) / 2 + 1; steps++) {
        assertThat(advances(steps, snapshots))
            .as("%d steps, %d snapshots", steps, snapshots)
            .isEqualTo(Binomial.advances(steps, snapshots));
      }
    }
  }

  @Test
  void onlineIsNeverFarFromWhatIsPossible() {
    for (int snapshots = 1; snapshots <= 6; snapshots++) {
      for (int steps = 2; steps <= 120; steps++) {
        double least = Binomial.advances(steps, snapshots);
        assertThat(advances(steps, snapshots) / least)
            .as("%d steps, %d snapshots", steps, snapshots)
            .isBetween(1.0, 1.14);
      }
    }
  }

  @Test
  void onlineIsNoWorseThanTheRuleOfLevels() {
    List<Oracle> cases = Oracle.of("online");
    assertThat(cases).hasSize(30);
    for (Oracle one : cases) {
      assertThat(advances(one.given("n"), one.given("s")))
          .as("%s", one)
          .isBetween(one.expected("least"), one.expected("levelsRule"));
    }
  }

  private static long advances(long steps, int snapshots) {
    return Judge.advances(Schedules.online(snapshots, step -> step == steps - 1), steps);
  }

  @Test
  void onlineAsksOnceForEachStep() {
    List<Long> asked = new ArrayList<>();
    Schedule schedule =
        Schedules.online(
            3,
            step -> {
              asked.add(step);
              return step == 29;
            });

    schedule.actions().forEachRemaining(action -> {});

    assertThat(asked).hasSize(30).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void anArgumentThatIsOutOfRangeIsNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Schedules.periodic(5, 0, 1))
        .withMessageContaining("a period of 0 steps");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Schedules.mixed(5, 0))
        .withMessageContaining("0 units");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Schedules.mixed(100_000, 1000))
        .withMessageContaining("use fewer units");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Schedules.online(0, step -> true))
        .withMessageContaining("snapshots must be at least 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BestPeriod.of(1, 1, 0))
        .withMessageContaining("0 for a step");
  }
}
