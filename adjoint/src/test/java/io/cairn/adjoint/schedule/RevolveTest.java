package io.cairn.adjoint.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Iterator;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** Schedules of one tier. */
class RevolveTest {
  @Test
  void advancesAsOftenAsTheOracleSays() {
    List<Oracle> cases = Oracle.of("binomial");
    assertThat(cases).hasSize(60);
    for (Oracle one : cases) {
      int steps = one.given("n");
      int snapshots = one.given("s");
      assertThat(Binomial.advances(steps, snapshots))
          .as("%s", one)
          .isEqualTo(one.expected("advances"));
      assertThat(Schedules.revolve(steps, snapshots).cost().advances())
          .as("%s", one)
          .isEqualTo(one.expected("advances"));
      JsonNode places = one.answer().path("firstPlaces");
      if (!places.isEmpty()) {
        assertThat(StreamSupport.stream(places.spliterator(), false).map(JsonNode::asLong))
            .as("%s", one)
            .contains(Binomial.firstPlace(steps, snapshots));
      }
    }
  }

  @Test
  void staysWithinItsSlots() {
    for (int steps = 1; steps <= 60; steps++) {
      for (int snapshots = 1; snapshots <= 12; snapshots++) {
        Schedule schedule = Schedules.revolve(steps, snapshots);
        assertThat(Judge.cost(schedule, 1))
            .as("%s", schedule)
            .isEqualTo(Binomial.advances(steps, snapshots));
      }
    }
  }

  @Test
  void aMillionStepsBeginWithoutATable() {
    Iterator<Action> actions = Schedules.revolve(1_000_000, 100).actions();

    long place = Binomial.firstPlace(1_000_000, 100);
    assertThat(actions.next()).isEqualTo(Action.Forward.keeping(0, place, 0));
  }

  @Test
  void everyNthCostsAndHoldsWhatTheOracleSays() {
    List<Oracle> cases = Oracle.of("everyKth");
    assertThat(cases).hasSize(10);
    for (Oracle one : cases) {
      Schedule schedule = Schedules.everyNth(one.given("n"), one.given("k"));
      Cost cost = schedule.cost();
      assertThat(cost.advances()).as("%s", one).isEqualTo(one.expected("advances"));
      assertThat(cost.peaks()).as("%s", one).containsExactly(one.expected("peak"));
      assertThat(Judge.cost(schedule, 1)).as("%s", one).isEqualTo(cost.advances());
    }
  }

  @Test
  void segmentsOfAnyLengthAreReversed() {
    for (int steps = 1; steps <= 20; steps++) {
      for (int n = 1; n <= steps + 1; n++) {
        Schedule schedule = Schedules.everyNth(steps, n);
        assertThat(Judge.cost(schedule, 1)).isEqualTo(schedule.cost().advances());
      }
    }
  }

  @Test
  void withAllStatesNoStepRunsTwice() {
    Cost cost = Schedules.storeAll(800).cost();

    assertThat(cost).isEqualTo(new Cost(799, 800, List.of(799L), List.of(799L), List.of(799L)));
  }

  @Test
  void anArgumentThatIsOutOfRangeIsNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Schedules.revolve(0, 1))
        .withMessageContaining("steps must be from 1 to");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Schedules.revolve(Binomial.MOST_STEPS + 1, 1))
        .withMessageContaining("steps must be from 1 to");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Schedules.revolve(1, 0))
        .withMessageContaining("snapshots must be at least 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Schedules.everyNth(1, 0))
        .withMessageContaining("at least 1 step");
  }
}
