package io.cairn.lab.bench.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.cli.Json;
import io.cairn.lab.bench.listener.ListenerReport.Checkpoints;
import io.cairn.lab.measure.Samples;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The benchmark itself, on a network of a thousand parameters. */
class ListenerBenchmarkTest {
  private static final int ITERATIONS = 7;
  private static final ListenerPlan TINY =
      new ListenerPlan(List.of(16, 32, 16, 8), 4, ITERATIONS, 2, 3, 2, 4, 4096, 20);

  @Test
  void everyModeIsMeasuredAndRestored() throws IOException {
    List<String> progress = new ArrayList<>();
    ListenerReport report = new ListenerBenchmark(TINY).run(progress::add);
    assertThat(progress).hasSize(4).last().asString().contains("round 3 of 3", "7 iterations");
    assertThat(report.bytes()).isEqualTo(3 * 4 * (16 * 32 + 32 + 32 * 16 + 16 + 16 * 8 + 8));
    assertThat(report.modes())
        .extracting(ListenerReport.Mode::name)
        .containsExactly("none", "checkpoint-listener", "cairn-in-place", "cairn");
    assertThat(report.modes()).allSatisfy(mode -> assertThat(mode.skipped()).isZero());

    ListenerReport.Mode none = report.modes().get(0);
    assertThat(none.checkpoints()).isEqualTo(Checkpoints.NONE);
    assertThat(none.restoredIdentical()).isNull();
    assertThat(none.stallMillis()).isEqualTo(new Samples.Quantiles(0, 0, 0));

    ListenerReport.Mode saving = report.modes().get(1);
    assertThat(saving.checkpoints()).isEqualTo(new Checkpoints(0, 0, 2));
    assertThat(saving.restoredIdentical()).isTrue();

    for (ListenerReport.Mode cairn : report.modes().subList(2, 4)) {
      // three to warm up, seven that are measured, and one after each of three rests
      assertThat(cairn.checkpoints()).as(cairn.name()).isEqualTo(new Checkpoints(13, 7, 3));
      assertThat(cairn.restoredIdentical()).as(cairn.name()).isTrue();
    }
    assertThat(Json.text(report)).contains("\"memcpyMillis\"", "\"restoredIdentical\" : true");
  }

  @Test
  void aRunThatSealsNothingAtStoreIsRefused() {
    assertThatThrownBy(() -> ListenerPlan.full(40, 5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("use more than 47");
  }

  @Test
  void savesAreSpreadOverTheRounds() {
    ListenerPlan plan = ListenerPlan.full(60, 5);
    int saves = 0;
    for (int round = 0; round < plan.rounds(); round++) {
      assertThat(plan.savesIn(round)).isBetween(0, 1);
      saves += plan.savesIn(round);
    }
    assertThat(plan.rounds()).isEqualTo(12);
    assertThat(saves).isEqualTo(5);
  }

  @Test
  void aRivalThatWouldSaveNothingIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ListenerPlan.full(60, 1))
        .withMessageContaining("saves: 1, must be at least 2");
  }
}
