package io.cairn.lab.bench.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.cli.Json;
import io.cairn.lab.bench.flow.FlowReport.Allocation;
import io.cairn.lab.bench.flow.FlowReport.Beside;
import io.cairn.lab.bench.flow.FlowReport.Measured;
import io.cairn.lab.measure.MeasuredMachine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The report, its tables and JSON, and the options. */
class FlowReportTest {
  private static final Beside FASTER = Beside.of(Rival.MIN_TIME, 8, 0.5, 0.8, null);
  private static final Beside SLOWER = Beside.of(Rival.DINIC, 8, 20.0, 0.8, null);
  private static final Beside OVER = Beside.of(Rival.DINIC, 4096, null, 80_000, "over 10 s");

  @TempDir Path directory;

  private static Measured exact(double micros) {
    return new Measured(
        Kind.DENSE_EXACT,
        8,
        null,
        micros,
        0.01,
        1.2,
        40.0,
        FlowTargets.micros(Kind.DENSE_EXACT, 8));
  }

  private static FlowReport report(boolean quick, Measured measured, Beside... rivals) {
    return new FlowReport(
        "2026-01-01T00:00:00Z",
        new MeasuredMachine("some CPU", 2, 1 << 30, "JDK 17", "Linux", null),
        List.of("-Xmx1g"),
        List.of("-Xmx2g"),
        quick,
        List.of(measured),
        List.of(rivals),
        List.of(new Allocation(128, 44_558, 44_552)));
  }

  @Test
  void ratiosAreTheRivalsTimeOverOurs() {
    assertThat(SLOWER.ratio()).isEqualTo(25.0);
    assertThat(OVER.ratio()).isNull();
    assertThat(SLOWER.ahead()).isTrue();
    assertThat(OVER.ahead()).isTrue();
    assertThat(FASTER.ahead()).isFalse();
  }

  @Test
  void barsAndRivalsDecide() {
    assertThat(report(false, exact(0.8), SLOWER, OVER).passed()).isTrue();
    assertThat(report(false, exact(1.1), SLOWER).passed()).isFalse();
    assertThat(report(false, exact(0.8), FASTER).passed()).isFalse();
    assertThat(report(true, exact(1.1), FASTER).passed()).isTrue();
  }

  @Test
  void tablesSayAll() {
    assertThat(FlowTables.lines(report(false, exact(1.1), SLOWER, OVER)))
        .anyMatch(
            line ->
                line.matches("dense, exact +8 +1\\.10 +0\\.01 +1\\.20 +40\\.0 +1\\.00 +NOT MET"))
        .anyMatch(line -> line.matches("JGraphT, Dinic +8 +20\\.0 +0\\.80 +25\\.0"))
        .anyMatch(line -> line.matches("JGraphT, Dinic +4096 +over 10 s +80000"))
        .anyMatch(line -> line.matches(" +128 +44558 +44552"));
    assertThat(FlowTables.lines(report(true, exact(1.1))))
        .noneMatch(line -> line.contains("NOT MET"))
        .last()
        .asString()
        .startsWith("A quick run");
  }

  @Test
  void jsonIsTheRecords() throws IOException {
    Path file = directory.resolve("flow.json");
    FlowReport report = report(false, exact(0.8), SLOWER, OVER);
    Json.write(file, report);
    assertThat(Json.read(file, FlowReport.class)).isEqualTo(report);
    assertThat(Json.text(report))
        .contains("\"kind\" : \"DENSE_EXACT\"", "\"ratio\" : 25.0", "\"why\" : \"over 10 s\"");
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
