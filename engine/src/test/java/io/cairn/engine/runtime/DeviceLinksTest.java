package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class DeviceLinksTest {
  @TempDir Path directory;

  private static String of(String script, long patienceMillis) {
    return DeviceLinks.of(List.of("sh", "-c", script), patienceMillis);
  }

  @Test
  void aCommandsOutputIsWhatItPrints() {
    assertThat(of("echo GPU0 GPU1", 30_000)).isEqualTo("GPU0 GPU1\n");
    assertThat(of("echo broken; exit 9", 30_000)).isEmpty();
    assertThat(DeviceLinks.of(List.of("no-such-command-of-cairn"), 30_000)).isEmpty();
  }

  @Test
  void aCommandThatHangsIsEnded() throws Exception {
    Path number = directory.resolve("pid");
    String script = "echo $$ > " + number + "; exec sleep 1000";

    for (long patience = 500; Files.notExists(number); patience *= 2) {
      assertThat(of(script, patience)).isEmpty();
    }

    long pid = Long.parseLong(Files.readString(number).strip());
    ProcessHandle.of(pid).ifPresent(process -> process.onExit().join());
  }
}
