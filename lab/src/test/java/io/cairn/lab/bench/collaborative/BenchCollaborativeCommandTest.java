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
    assertThat(found.get("quick").asBoolean()).isTrue();
    assertThat(found.at("/tables/1/rows/0/verified bytes").asLong())
        .isEqualTo(bytesThatLeaveTheirDevices());
    assertThat(found.at("/tables/0/rows/0/ranks").asInt()).isEqualTo(CoordinatorPlan.QUICK.ranks());
    assertThat(found.at("/tables/0/rows/0/time p99 ms").asDouble()).isPositive();
    assertThat(found.at("/tables/0/rows/1/time p50 ms").asDouble()).isPositive();
    assertThat(found.at("/tables/2/rows/0/cache MB").asInt()).isEqualTo(160);
    assertThat(found.at("/tables/3/rows").findValuesAsText("algorithm"))
        .containsExactly("exact", "min-time", "greedy", "local-only");
    assertThat(found.at("/tables/3/rows/0/p95").asDouble()).isPositive();
    assertThat(found.at("/tables/4/rows/0/measured").asDouble()).isPositive();
    assertThat(out.toString()).contains("all of them right").doesNotContain("NOT MET");
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
    assertThat(found.get("tables")).hasSize(1);
    assertThat(found.at("/tables/0/rows/0/ranks").asInt()).isEqualTo(CoordinatorPlan.QUICK.ranks());
    assertThat(out.toString()).contains("heap bytes per report that waits");
  }
}
