package io.cairn.lab.bench.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.FigureTable;
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
    BenchReport report = new BenchReport("listener");
    new ListenerBenchmark(TINY).run(report, progress::add);
    assertThat(progress).hasSize(4).last().asString().contains("round 3 of 3", "7 iterations");
    long bytes = 3 * 4 * (16 * 32 + 32 + 32 * 16 + 16 + 16 * 8 + 8);
    FigureTable.Row copied = report.tables().get(0).rows().get(0);
    assertThat(copied.get("state bytes")).isEqualTo(bytes);
    assertThat(copied.number("copy p50 ms")).isPositive();
    List<FigureTable.Row> modes = report.tables().get(1).rows();
    assertThat(modes)
        .extracting(mode -> mode.get("mode"))
        .containsExactly("none", "checkpoint-listener", "cairn-in-place", "cairn");
    FigureTable.Row none = modes.get(0);
    assertThat(none.get("at STORE")).isNull();
    assertThat(none.get("identical")).isNull();
    assertThat(none.number("stall max ms")).isZero();
    FigureTable.Row saving = modes.get(1);
    assertThat(saving.number("at STORE")).isEqualTo(2);
    assertThat(saving.get("identical")).isEqualTo(true);
    for (FigureTable.Row cairn : modes.subList(2, 4)) {
      // three to warm up, seven that are measured, and one after each of three rests
      assertThat(List.of(cairn.number("at DEVICE"), cairn.number("at NODE")))
          .as("%s", cairn.get("mode"))
          .containsExactly(13.0, 7.0);
      assertThat(cairn.number("at STORE")).isEqualTo(3);
      assertThat(cairn.number("skipped")).isZero();
      assertThat(cairn.get("identical")).isEqualTo(true);
    }
    assertThat(report.bars()).hasSize(7);
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
