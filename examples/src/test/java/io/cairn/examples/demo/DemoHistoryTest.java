package io.cairn.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoHistoryTest {
  @TempDir Path directory;

  @Test
  void theAddressOfEachRunIsPrintedUntilEnter() throws Exception {
    Path logs = Files.createDirectories(directory.resolve("logs"));
    Files.createFile(logs.resolve("app-2"));
    Files.createFile(logs.resolve("app-1.inprogress"));
    Files.createFile(logs.resolve("driver.log"));
    StringWriter text = new StringWriter();
    ByteArrayInputStream enter =
        new ByteArrayInputStream("some words\nmore".getBytes(StandardCharsets.UTF_8));

    try (PrintWriter out = new PrintWriter(text)) {
      DemoHistory.show(logs, directory.resolve("store"), out, enter);
    }

    assertThat(text.toString().lines().filter(line -> line.contains("http")))
        .satisfiesExactly(
            first -> assertThat(first).endsWith("/history/app-1/checkpoints/"),
            second -> assertThat(second).endsWith("/history/app-2/checkpoints/"));
    assertThat(enter.available()).isEqualTo("more".length());
  }
}
