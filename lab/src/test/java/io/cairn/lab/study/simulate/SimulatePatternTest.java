package io.cairn.lab.study.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cairn.cli.ExitCodes;
import io.cairn.lab.Laboratory;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code simulate pattern}, as users call it. */
class SimulatePatternTest {
  private static final String OVERHEAD = "overhead %";

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path directory = Path.of("");
  private Path levels = Path.of("");

  @BeforeEach
  void writeLevels() throws IOException {
    levels = directory.resolve("levels.json");
    Files.writeString(
        levels,
        """
        {"levels": [
          {"name": "cache", "mtbfSeconds": 36000, "checkpointSeconds": 10, "recoverySeconds": 12},
          {"name": "disk", "mtbfSeconds": 72000, "checkpointSeconds": 30, "recoverySeconds": 30},
          {"name": "store", "mtbfSeconds": 720000, "checkpointSeconds": 150, "recoverySeconds": 90}
        ]}
        """);
  }

  @Test
  void theBestPatternsSimulatedOverheadIsTheExactOne() throws IOException {
    for (String model :
        new String[] {"computation-only", "everywhere", "atomic-chain-except-recovery"}) {
      for (String recovery : new String[] {"cumulative", "own"}) {
        JsonNode report = simulate("--runs", "100000", "--failures", model, "--recovery", recovery);
        double error = simulated(report, "± at 95 %") / 1.96;
        assertThat(simulated(report, OVERHEAD))
            .as("%s, %s", model, recovery)
            .isCloseTo(exact(report), within(4 * error));
        assertThat(levels(report, "rollbacks")).hasSameSizeAs(levels(report, "checkpoints"));
      }
    }
  }

  @Test
  void aGivenPatternMayLeaveLevelsOutAndTakeOnTheirCosts() throws IOException {
    String[] given = {
      "--subset", "2,3", "--counts", "4", "--length", "8000", "--cost", "incremental"
    };
    JsonNode report = simulate(given);
    assertThat(levels(report, "level")).containsExactly("2", "3");
    assertThat(levels(report, "checkpoints")).containsExactly("4", "1");
    assertThat(simulated(report, "work s")).isEqualTo(8000);
    double error = simulated(report, "± at 95 %") / 1.96;
    assertThat(simulated(report, OVERHEAD)).isCloseTo(exact(report), within(4 * error));
  }

  @Test
  void theSameSeedGivesTheSameNumbersAtAnyNumberOfThreads() throws IOException {
    JsonNode one = simulate("--seed", "5", "--threads", "1", "--runs", "3000");
    JsonNode same = simulate("--seed", "5", "--threads", "3", "--runs", "3000");
    assertThat(same.get("tables")).isEqualTo(one.get("tables"));
    JsonNode other = simulate("--seed", "6", "--threads", "3", "--runs", "3000");
    assertThat(simulated(other, OVERHEAD)).isNotEqualTo(simulated(one, OVERHEAD));
  }

  @Test
  void aFailureLogIsReplayed() throws IOException {
    Path log = directory.resolve("log.csv");
    Files.writeString(log, "seconds,level\n500,1\n505,3\n");
    String[] given = {
      "--subset",
      "1,3",
      "--counts",
      "2",
      "--length",
      "2000",
      "--recovery",
      "own",
      "--runs",
      "1",
      "--failure-log",
      log.toString()
    };
    JsonNode report = simulate(given);
    double undisturbed = 2000 + 2 * 10 + 150;
    assertThat(simulated(report, "run s")).isEqualTo(505 + 90 + undisturbed);
    assertThat(levels(report, "rollbacks")).containsExactly("1", "1");
    assertThat(report.at("/tables/0/rows/0").get("± at 95 %").isNull()).isTrue();
    assertThat(report.at("/tables/0/rows")).hasSize(1);
  }

  @Test
  void weibullFailuresOfShapeOneAreExponential() throws IOException {
    JsonNode exponential = simulate("--seed", "1");
    JsonNode weibull = simulate("--seed", "2", "--weibull-shape", "1");
    double error =
        Math.hypot(simulated(exponential, "± at 95 %"), simulated(weibull, "± at 95 %")) / 1.96;
    assertThat(simulated(weibull, OVERHEAD))
        .isCloseTo(simulated(exponential, OVERHEAD), within(4 * error));
  }

  @Test
  void withoutJsonItPrintsTables() {
    assertThat(execute(Stream.of("--runs", "1000", "--patterns", "2"))).isEqualTo(ExitCodes.GOOD);
    assertThat(out.toString())
        .contains("1,000 runs of 2 patterns, seed 0", "simulated", "exact", "store");
  }

  @Test
  void badInputIsRefusedByName() throws IOException {
    refused("runs must be at least 1: 0", "--runs", "0");
    refused("the Weibull shape must be positive and finite: -1.0", "--weibull-shape", "-1");
    refused("leaves out the highest level", "--subset", "1,2");
    Path log = directory.resolve("log.csv");
    Files.writeString(log, "1,1\n2,x\n");
    refused("log.csv, line 2: not a number and a whole number", "--failure-log", log.toString());
    Files.writeString(log, "1,4\n");
    refused("has failures of level 4; the platform has 3", "--failure-log", log.toString());
    refused("give one of them", "--failure-log", log.toString(), "--weibull-shape", "1");
    refused("no such file", "--failure-log", directory.resolve("none").toString());
  }

  private void refused(String message, String... arguments) {
    err.getBuffer().setLength(0);
    assertThat(execute(Stream.of(arguments))).isEqualTo(ExitCodes.REFUSED);
    assertThat(err.toString()).startsWith("cairn: ").contains(message);
  }

  private static double simulated(JsonNode report, String column) {
    return report.at("/tables/0/rows/0").get(column).doubleValue();
  }

  private static double exact(JsonNode report) {
    JsonNode row = report.at("/tables/0/rows/1");
    assertThat(row.get("").textValue()).isEqualTo("exact");
    return row.get(OVERHEAD).doubleValue();
  }

  private static List<String> levels(JsonNode report, String column) {
    return report.at("/tables/1/rows").findValuesAsText(column);
  }

  private JsonNode simulate(String... arguments) throws IOException {
    out.getBuffer().setLength(0);
    assertThat(execute(Stream.concat(Stream.of(arguments), Stream.of("--json"))))
        .as("%s", err)
        .isEqualTo(ExitCodes.GOOD);
    return new ObjectMapper().readTree(out.toString());
  }

  private int execute(Stream<String> arguments) {
    Stream<String> first = Stream.of("simulate", "pattern", "--levels", levels.toString());
    return Laboratory.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(Stream.concat(first, arguments).toArray(String[]::new));
  }
}
