package io.cairn.lab.study.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.cairn.cli.CommandRun;
import io.cairn.cli.ExitCodes;
import io.cairn.lab.LabRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whole files of problems through the command, against optima that were computed independently. */
class ScheduleOracleTest {
  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource({
    "flow, optimalSeconds, 1e-7, exact",
    "flow, optimalSeconds, 1e-7, exact --lexicographic",
    "flow, chunkOptimalSeconds, 1e-9, exact --chunked",
    "flow, chunkOptimalSeconds, 1e-9, min-time",
    "flow, greedySeconds, 1e-9, greedy",
    "flow, localOnlySeconds, 1e-9, local-only",
    "flow-extended, optimalSeconds, 1e-6, exact"
  })
  void everyLineIsAnsweredAsExpected(String kind, String key, double tolerance, String algorithm)
      throws IOException {
    Path input = Instances.oracle(kind + "-instances.jsonl", directory);
    Path output = directory.resolve("plans.jsonl");
    String arguments = "schedule --input %s --output %s --algorithm %s";
    CommandRun run = LabRun.of(arguments.formatted(input, output, algorithm).split(" "));
    assertThat(run.exit()).as(run.err()).isEqualTo(ExitCodes.GOOD);

    List<JsonNode> problems = Instances.parsed(Files.readAllLines(input));
    Path expectations = Instances.oracle(kind + "-expected.jsonl", directory);
    List<JsonNode> expected = Instances.parsed(Files.readAllLines(expectations));
    List<JsonNode> answers = Instances.parsed(Files.readAllLines(output));
    assertThat(answers).hasSameSizeAs(expected);
    for (int line = 0; line < answers.size(); line++) {
      JsonNode answer = answers.get(line);
      JsonNode optimum = expected.get(line).get(key);
      assertThat(answer.get("id")).isEqualTo(expected.get(line).get("id"));
      if (answer.get("feasible").booleanValue()) {
        requireConserved(problems.get(line), answer);
        requireProven(answer);
      }
      if (optimum.isNumber()) {
        double seconds = optimum.doubleValue();
        assertThat(answer.path("blockingSeconds").doubleValue())
            .as(answer.get("id").textValue())
            .isCloseTo(seconds, within(tolerance * seconds));
      } else if (optimum.isNull()) {
        assertThat(answer.get("feasible").booleanValue()).isFalse();
        assertThat(answer.get("reason").textValue()).isNotBlank();
      }
    }
  }

  private static void requireConserved(JsonNode problem, JsonNode plan) {
    int devices = problem.get("devices").intValue();
    double[] sent = new double[devices];
    double[] received = new double[devices];
    for (JsonNode transfer : plan.get("transfers")) {
      double bytes = transfer.get("bytes").doubleValue();
      sent[transfer.get("from").intValue()] += bytes;
      if (!transfer.get("to").asText().equals("host")) {
        received[transfer.get("to").intValue()] += bytes;
      }
    }
    for (int device = 0; device < devices; device++) {
      double remainder = problem.get("remainderBytes").get(device).doubleValue();
      double spare = problem.get("spareBytes").get(device).doubleValue();
      assertThat(sent[device]).isCloseTo(remainder, within(1e-9 * remainder));
      assertThat(received[device]).isLessThanOrEqualTo(spare * (1 + 1e-9));
    }
    assertThat(plan.get("senderSeconds")).hasSize(devices);
  }

  private static void requireProven(JsonNode plan) {
    JsonNode certificate = plan.get("certificate");
    if (!certificate.isNull()) {
      double blocking = plan.get("blockingSeconds").doubleValue();
      assertThat(certificate.get("lowerBoundSeconds").doubleValue())
          .isCloseTo(blocking, within(1e-9 * blocking));
    }
  }
}
