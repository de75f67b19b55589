package io.cairn.lab.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each alarm is raised in a test of the rules, which Prometheus's own tool runs where it is. */
class AlertRulesTest {
  private static final Path FOLDER = Path.of("../docs/metrics").toAbsolutePath().normalize();
  private static final Path TESTS = FOLDER.resolve("alerts-test.yml");

  private static List<String> all(String pattern, Path file) throws Exception {
    return Pattern.compile(pattern)
        .matcher(Files.readString(file))
        .results()
        .map(found -> found.group(1))
        .distinct()
        .sorted()
        .toList();
  }

  @Test
  void eachAlarmIsRaisedByATest() throws Exception {
    assertThat(all("alertname: (\\w+)\n *exp_alerts:\n", TESTS))
        .isNotEmpty()
        .isEqualTo(all("- alert: (\\w+)", FOLDER.resolve("alerts.yml")));
  }

  @Test
  void theRulesPassTheirTests() throws Exception {
    assumeThat(Stream.of(System.getenv("PATH").split(File.pathSeparator)))
        .as("promtool on the path")
        .anyMatch(each -> Files.isExecutable(Path.of(each, "promtool")));
    try (ChildProcess promtool =
        Command.of("promtool", "test", "rules", TESTS.toString()).withErrorsInOutput().start()) {
      List<String> said = promtool.rest();

      assertThat(promtool.exitStatus()).as(() -> String.join("\n", said)).isZero();
    }
  }
}
