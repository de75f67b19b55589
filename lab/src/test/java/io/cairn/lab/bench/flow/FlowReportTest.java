package io.cairn.lab.bench.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.FigureTable;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The figures and their bars, and the options. */
class FlowReportTest {
  private static final Forks.Score FAST = new Forks.Score(0.8, 0.01, 1.2, null);
  private static final Forks.Score SLOW = new Forks.Score(1.1, 0.01, 1.2, null);

  private final BenchReport report = new BenchReport("flow");
  private final FlowBenchmarks found = benchmarks(false);

  private FlowBenchmarks benchmarks(boolean quick) {
    Set<Family> all = EnumSet.allOf(Family.class);
    FlowPlan plan = quick ? FlowPlan.quick(all, List.of()) : FlowPlan.full(all, List.of());
    return new FlowBenchmarks(plan, report, line -> {});
  }

  private FigureTable.Row row(int table) {
    List<FigureTable.Row> rows = report.tables().get(table).rows();
    return rows.get(rows.size() - 1);
  }

  @Test
  void ratiosAreTheRivalsTimeOverOurs() {
    found.add(Kind.DENSE_EXACT, 8, null, FAST);
    found.add(Rival.DINIC, 8, 20.0, null);
    assertThat(row(1).number("rival ÷ ours")).isEqualTo(25.0);
    found.add(Rival.DINIC, 8, null, "over 10 s");
    assertThat(row(1).get("rival ÷ ours")).isNull();
    assertThat(row(1).get("why not")).isEqualTo("over 10 s");
    assertThat(report.passed()).isTrue();
  }

  @Test
  void ratiosAreTimesTheFloorOfTheirSize() {
    found.add(Kind.FLOOR, 8, null, new Forks.Score(0.02, null, null, null));
    found.add(Kind.DENSE_EXACT, 8, null, FAST);
    assertThat(row(0).number("× floor")).isEqualTo(40.0);
  }

  @Test
  void aSlowSolveMissesItsBar() {
    found.add(Kind.DENSE_EXACT, 8, null, SLOW);
    assertThat(report.passed()).isFalse();
    assertThat(report.lines())
        .anyMatch(line -> line.matches("dense, exact +8 +1\\.10 +0\\.0100 +1\\.20"))
        .anyMatch(line -> line.matches("dense, exact, 8 devices, µs +1\\.10 +<= 1 +NOT MET"));
  }

  @Test
  void aFasterRivalMissesTheBar() {
    found.add(Kind.DENSE_CHUNKED, 8, null, FAST);
    found.add(Rival.MIN_TIME, 8, 0.5, null);
    assertThat(report.passed()).isFalse();
  }

  @Test
  void aRivalThatIsAsFastMissesTheBar() {
    found.add(Kind.DENSE_CHUNKED, 8, null, FAST);
    found.add(Rival.MIN_TIME, 8, Math.nextUp(FAST.micros()), null);
    assertThat(report.passed()).isTrue();
    found.add(Rival.MIN_TIME, 8, FAST.micros(), null);
    assertThat(report.passed()).isFalse();
  }

  @Test
  void aQuickRunMissesNothing() {
    benchmarks(true).add(Kind.DENSE_EXACT, 8, null, SLOW);
    assertThat(report.passed()).isTrue();
  }

  @Test
  void partsAreChosenByName() {
    CommandLine command = new CommandLine(new BenchFlowCommand());
    command.parseArgs("--only", "dense,rivals", "--devices", "8,128", "--quick");
    Set<Family> only = command.getCommandSpec().findOption("--only").getValue();
    assertThat(only).containsExactlyInAnyOrder(Family.DENSE, Family.RIVALS);
    List<Integer> devices = command.getCommandSpec().findOption("--devices").getValue();
    assertThat(devices).containsExactly(8, 128);
    assertThat(command.getUsageMessage())
        .containsIgnoringWhitespaces("dense, uniform, clusters, rivals, allocation");
  }

  @Test
  void oddSizesAreRefused() {
    assertThatThrownBy(() -> FlowPlan.full(EnumSet.allOf(Family.class), List.of(8, 9)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("even")
        .hasMessageContaining("not 9");
  }

  @Test
  void theSlowestInstanceIsFound() {
    int[] calls = new int[3];
    double slowest =
        Rotation.begin(3, index -> calls[index]++).slowestMicros(index -> calls[index]++);
    assertThat(slowest).isGreaterThan(0);
    assertThat(calls[0]).isPositive();
    assertThat(calls).containsOnly(calls[0]);
  }

  @Test
  void instancesTakeTurns() {
    Rotation rotation = new Rotation(3);
    assertThat(List.of(rotation.next(), rotation.next(), rotation.next(), rotation.next()))
        .containsExactly(0, 1, 2, 0);
  }
}
