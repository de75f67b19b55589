package io.cairn.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(120)
class StagingServerCommandTest {
  @TempDir private Path root = Path.of("");

  private ChildProcess start(Object... more) throws IOException {
    List<Object> arguments = new ArrayList<>(List.of("staging-server", root.resolve("store")));
    arguments.addAll(List.of("--port", "0"));
    arguments.addAll(List.of(more));
    return Command.java(Main.class, arguments.toArray()).small(64).withErrorsInOutput().start();
  }

  private Path secret(String text, String permissions) throws IOException {
    Path file = root.resolve("secret");
    Files.writeString(file, text);
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(permissions));
  }

  private CommandRun run(String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("staging-server", root.resolve("store").toString()));
    arguments.addAll(List.of(more));
    return CommandRun.of(arguments.toArray(String[]::new));
  }

  @Test
  void aServerSaysWhatItServesAndEndsInOrder() throws Exception {
    Path file = secret("a secret of the job\n", "rw-------");
    try (ChildProcess server = start("--secret-file", file, "--rate", "100m", "--every", "1")) {
      String started = server.await("Staging server at 127.0.0.1:");
      assertThat(started)
          .contains("4 threads, 256 MiB of memory, 100 MiB/s, orders are authenticated");
      assertThat(server.await("0 containers written")).contains("0 orders open");

      ChildProcess.signal("TERM", server.pid());

      assertThat(server.await("Ended")).contains("with all orders finished: 0 containers");
      assertThat(server.exitStatus()).as("the JVM's, after SIGTERM").isEqualTo(128 + 15);
    }
  }

  @Test
  void jsonHasALineForEachEvent() throws Exception {
    ObjectMapper mapper = new ObjectMapper();
    try (ChildProcess server = start("--json", "--every", "1")) {
      JsonNode started = mapper.readTree("{" + server.await("{"));
      JsonNode progress = mapper.readTree("{" + server.await("{"));
      ChildProcess.signal("TERM", server.pid());
      JsonNode ended = mapper.readTree("{" + server.await("{\"event\":\"ended\","));

      assertThat(started.get("event").asText()).isEqualTo("started");
      assertThat(started.get("address").asText()).startsWith("127.0.0.1:");
      assertThat(started.get("store").asText()).isNotEmpty();
      assertThat(progress.get("event").asText()).isEqualTo("progress");
      assertThat(progress.get("progress").get("containers").asLong(-1)).isZero();
      assertThat(ended.get("progress").get("failed").asLong(-1)).isZero();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "--bind, 0.0.0.0, --secret-file",
    "--rate, fast, --rate is 'fast'",
    "--memory, 1k, memory of 1024 bytes",
    "--threads, 0, 0 threads",
    "--threads, 65, 65 threads",
    "--chunk, 65m, chunks of",
    "--codec, gzip, shuffle-zstd",
    "--port, 70000, --port is 70000",
    "--every, 0, --every"
  })
  void valuesOutOfRangeAreRefused(String option, String value, String message) {
    CommandRun run = run(option, value);

    assertThat(run.exit()).isEqualTo(ExitCodes.REFUSED);
    assertThat(run.err()).contains(message);
    assertThat(root.resolve("store")).as("nothing was made").doesNotExist();
  }

  @Test
  void aSecretThatOthersCanReadIsRefused() throws IOException {
    Path file = secret("a secret of the job", "rw-r--r--");

    CommandRun run = run("--secret-file", file.toString());

    assertThat(run.exit()).isEqualTo(ExitCodes.REFUSED);
    assertThat(run.err()).contains("chmod 600").doesNotContain("a secret of the job");
  }

  @Test
  void aShortSecretIsRefusedAndNotShown() throws IOException {
    Path file = secret("hunter2", "rw-------");

    CommandRun run = run("--secret-file", file.toString());

    assertThat(run.exit()).isEqualTo(ExitCodes.REFUSED);
    assertThat(run.err()).contains("16 characters").doesNotContain("hunter2");
  }

  @Test
  void theHelpNamesTheOptions() {
    CommandRun run = CommandRun.of("staging-server", "--help");

    assertThat(run.exit()).isEqualTo(ExitCodes.GOOD);
    assertThat(run.out()).contains("--rate", "--memory", "--threads", "--secret-file", "SIGTERM");
  }
}
