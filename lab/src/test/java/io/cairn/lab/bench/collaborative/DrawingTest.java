package io.cairn.lab.bench.collaborative;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.lab.study.schedule.Algorithm;
import java.util.List;
import org.junit.jupiter.api.Test;

class DrawingTest {
  private static final CollaborativePlan PLAN = CollaborativePlan.FULL;

  @Test
  void whatIsDrawnIsSharedAndLongEnough() throws Exception {
    List<Drawing> drawings = Drawing.all(PLAN, 7);
    assertThat(drawings).extracting(Drawing::cacheMegabytes).containsExactly(80, 128, 160);
    for (Drawing drawing : drawings) {
      assertThat(drawing.moments()).hasSize(PLAN.snapshots()).doesNotHaveDuplicates();
      assertThat(drawing.moments()).allMatch(Moment::isShared);
      assertThat(drawing.leastSeconds()).isGreaterThanOrEqualTo(PLAN.leastModelSeconds());
      assertThat(drawing.eligible()).isBetween(PLAN.snapshots(), drawing.shared());
    }
  }

  @Test
  void theSeedDecides() throws Exception {
    assertThat(Drawing.all(PLAN, 7)).isEqualTo(Drawing.all(PLAN, 7));
    assertThat(Drawing.all(PLAN, 7)).isNotEqualTo(Drawing.all(PLAN, 8));
  }

  @Test
  void theControlsLinkCostsItsSnapshotsTime() throws Exception {
    List<Drawing> drawings = Drawing.all(PLAN, 7);
    Control control = Control.choose(drawings, PLAN.controls());
    assertThat(drawings).contains(control.drawing());
    assertThat(control.moments()).hasSize(PLAN.controls()).isSubsetOf(control.drawing().moments());
    assertThat(control.ratio()).isBetween(1.5, 2.0);
    for (Moment moment : control.moments()) {
      assertThat(moment.plan(Algorithm.EXACT).transfers())
          .anyMatch(
              transfer ->
                  transfer.from() == control.link().from() && transfer.to() == control.link().to());
    }
  }
}
