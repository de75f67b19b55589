package io.cairn.engine.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.engine.config.CairnConfig;
import io.cairn.process.Command;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.helpers.NOPLogger;
import org.slf4j.helpers.NOPLoggerFactory;

/** A program without a provider of SLF4J learns that it sees no warning. */
class UnseenLogTest {
  @TempDir Path directory;

  @Test
  void itIsSaidOnce() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream err = new PrintStream(bytes, true, UTF_8);
    UnseenLog log = new UnseenLog();

    log.report(name -> NOPLogger.NOP_LOGGER, err);
    assertThat(bytes.toString(UTF_8)).isEmpty();
    log.report(new NOPLoggerFactory(), err);
    log.report(new NOPLoggerFactory(), err);

    assertThat(bytes.toString(UTF_8).lines())
        .singleElement()
        .asString()
        .startsWith("cairn: no SLF4J provider")
        .contains("slf4j-simple");
  }

  @Test
  void aProgramWithoutAProviderReadsOneLine() throws IOException, InterruptedException {
    Path errors = directory.resolve("err");
    String bare =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !entry.contains("log4j") && !entry.contains("slf4j-simple"))
            .collect(Collectors.joining(File.pathSeparator));

    int exit =
        Command.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-cp",
                bare,
                UnseenLogTest.class.getName(),
                directory.toString())
            .errorsTo(errors)
            .run();

    assertThat(exit).isZero();
    assertThat(Files.readAllLines(errors).stream().filter(line -> line.startsWith("cairn:")))
        .hasSize(1);
  }

  /** Opens and closes checkpointing twice. */
  public static void main(String[] arguments) throws IOException {
    for (int k = 0; k < 2; k++) {
      try (CairnEngine cairn =
          CairnEngine.open(
              CairnConfig.of(
                  Map.of(
                      "store", arguments[0] + "/store",
                      "node.dir", arguments[0] + "/node",
                      "device.dir", arguments[0] + "/device",
                      "device.cacheSize", "1m",
                      "chunkSize", "4k")))) {
        cairn.counters();
      }
    }
  }
}
