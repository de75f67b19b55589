package io.cairn.lab.bench.collaborative;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cairn.cli.ExitCodes;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The whole command with three devices, one snapshot and few ranks, in real processes. */
class BenchCollaborativeCommandTest {
  @TempDir private Path directory;

  private final StringWriter out = new StringWriter();

  private int run(String... arguments) {
    return new CommandLine(new BenchCollaborativeCommand())
        .setOut(new PrintWriter(out, true))
        .execute(arguments);
  }

  @Test
  void everythingIsExecutedVerifiedAndReported() throws Exception {
    Path json = directory.resolve("found.json");
    int exit = run("--quick", "--output", json.toString(), "--chart", directory.toString());
    assertThat(exit).as(out.toString()).isEqualTo(ExitCodes.GOOD);
    JsonNode found = new ObjectMapper().readTree(json.toFile());
    assertThat(found.fieldNames())
        .toIterable()
        .containsExactly(
            "scale", "algorithms", "caches", "negativeControl", "coordinator", "verifiedBytes");
    assertThat(found.get("algorithms").findValuesAsText("name"))
        .containsExactly("exact", "min-time", "greedy", "local-only");
    assertThat(found.at("/algorithms/0/measuredOverPredicted/p95").asDouble()).isPositive();
    assertThat(found.at("/caches/0/mb").asInt()).isEqualTo(160);
    assertThat(found.at("/coordinator/ranks").asInt()).isEqualTo(CoordinatorPlan.QUICK.ranks());
    assertThat(found.at("/coordinator/planMillis/p99").asDouble()).isPositive();
    assertThat(found.at("/coordinator/roundTripMillis/p50").asDouble()).isPositive();
    assertThat(found.get("verifiedBytes").asLong()).isEqualTo(bytesThatLeaveTheirDevices());
    assertThat(out.toString()).contains("every byte right").doesNotContain("NOT MET");
    assertThat(directory.resolve("collaborative.svg")).isNotEmptyFile();
  }

  /** Of the four algorithms and the negative control. */
  private static long bytesThatLeaveTheirDevices() throws Exception {
    CollaborativePlan plan = CollaborativePlan.QUICK;
    PlayedMachine machine = new PlayedMachine(plan.devices(), plan.chunkBytes(), 1);
    Moment moment = Drawing.all(plan, 1).get(0).moments().get(0);
    long bytes = 0;
    for (int rank = 0; rank < plan.devices(); rank++) {
      long home = (long) moment.cacheChunks() * plan.chunkBytes();
      bytes += Math.max(0, machine.played(moment.bytes().get(rank)) - home);
    }
    return 5L * plan.runs() * bytes;
  }

  @Test
  void theCoordinatorAloneExecutesNothing() throws Exception {
    Path json = directory.resolve("found.json");
    assertThat(run("--quick", "--coordinator-only", "--output", json.toString()))
        .isEqualTo(ExitCodes.GOOD);
    JsonNode found = new ObjectMapper().readTree(json.toFile());
    assertThat(found.get("scale").isNull()).isTrue();
    assertThat(found.get("algorithms")).isEmpty();
    assertThat(found.at("/coordinator/ranks").asInt()).isEqualTo(CoordinatorPlan.QUICK.ranks());
    assertThat(out.toString()).contains("plan of 64 ranks", "bytes of heap per report");
  }
}
