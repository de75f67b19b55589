package io.cairn.lab.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.code_intelligence.jazzer.Jazzer;
import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A short search, guided by coverage, for bytes that a reader does not bear. It begins with the
 * corpus and with the same seed in each build. {@code -Dcairn.fuzz.seconds} and {@code
 * -Dcairn.fuzz.seed} search for longer, and elsewhere.
 */
class SearchTest {
  private static final int SECONDS = Integer.getInteger("cairn.fuzz.seconds", 8);
  private static final int SEED = Integer.getInteger("cairn.fuzz.seed", 1);

  /** A slow machine is no finding. */
  private static final int SECONDS_PER_INPUT = 120;

  private static final Duration STARTS_AND_ENDS = Duration.ofMinutes(10);

  private static final Path CORPUS = Path.of("src/test/resources/io/cairn/lab/fuzz");
  private static final Path FOUND = Path.of("target/fuzz/search");
  private static final Path LOG = FOUND.resolve("log");

  /** Jars of the readers and of the search, which looks through each class on its path. */
  private static final Pattern NEEDED =
      Pattern.compile(
          ".*/(cairn|jazzer|assertj|byte-buddy|junit|opentest4j|apiguardian|jspecify|slf4j-api"
              + "|hadoop-client-(api|runtime)|hash4j|lz4|snappy|zstd|commons|jackson)[^/]*");

  private static final Pattern RUNS = Pattern.compile("Done (\\d+) runs");
  private static final Pattern COVERAGE = Pattern.compile("DONE +cov: (\\d+)");

  @BeforeEach
  void begin() throws IOException {
    Files.createDirectories(FOUND);
    try (Stream<Path> files = Files.walk(FOUND)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.delete(file);
      }
    }
    Path seeds = Files.createDirectories(FOUND.resolve("seeds"));
    for (int target = 0; target < EveryReader.TARGETS.size(); target++) {
      seed(EveryReader.TARGETS.get(target), (byte) target, seeds);
    }
  }

  /** The target's part of the corpus, and an empty input. */
  private static void seed(Method target, byte number, Path seeds) throws IOException {
    Files.write(seeds.resolve(target.getName()), new byte[] {number});
    Path own =
        CORPUS.resolve(target.getDeclaringClass().getSimpleName() + "Inputs/" + target.getName());
    if (Files.isDirectory(own)) {
      try (Stream<Path> files = Files.list(own)) {
        for (Path file : files.toList()) {
          byte[] content = Files.readAllBytes(file);
          byte[] input = new byte[1 + content.length];
          input[0] = number;
          System.arraycopy(content, 0, input, 1, content.length);
          Files.write(seeds.resolve(target.getName() + "-" + file.getFileName()), input);
        }
      }
    }
  }

  /** Its search has a limit of its own. */
  @Test
  @Timeout(value = 1, unit = TimeUnit.DAYS)
  void aShortSearchFindsNothingThatAReaderDoesNotBear() throws Exception {
    int exit = search();
    String log = Files.readString(LOG);
    try (Stream<Path> files = Files.list(FOUND)) {
      List<Path> crashes =
          files.filter(file -> file.getFileName().toString().matches("\\w+-[0-9a-f]{40}")).toList();
      if (!crashes.isEmpty()) {
        fail(finding(crashes.get(0), log));
      }
    }
    assertThat(exit).as(log).isZero();
    // a busy machine may try little beyond the inputs that it begins with
    assertThat(number(RUNS, log)).as(log).isGreaterThanOrEqualTo(EveryReader.TARGETS.size());
    assertThat(number(COVERAGE, log)).as(log).isGreaterThan(100);
  }

  private static int search() throws Exception {
    Command search =
        Command.of(Path.of(System.getProperty("java.home"), "bin", "java").toString())
            .small(512)
            .options("-cp", classPath(), Jazzer.class.getName())
            .options(
                "--target_class=" + EveryReader.class.getName(),
                "--instrumentation_includes=io.cairn.**",
                // hooks for each comparison, and in libraries, take all the time of the search
                "--custom_hook_includes=io.cairn.**",
                "--trace=cov:div:gep:indir:native",
                "--reproducer_path=" + FOUND,
                "-artifact_prefix=" + FOUND + "/",
                "-seed=" + SEED,
                "-max_total_time=" + SECONDS,
                "-timeout=" + SECONDS_PER_INPUT,
                "-rss_limit_mb=0",
                Files.createDirectories(FOUND.resolve("corpus")).toString(),
                FOUND.resolve("seeds").toString())
            .withErrorsInOutput()
            .outputTo(LOG);
    try (ChildProcess process = search.start()) {
      assertThat(process.waitFor(Duration.ofSeconds(SECONDS).plus(STARTS_AND_ENDS))).isTrue();
      return process.exitStatus();
    }
  }

  private static String classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .filter(entry -> !entry.endsWith(".jar") || NEEDED.matcher(entry).matches())
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** Keeps the bytes as an input of the target. */
  private static String finding(Path crash, String log) throws IOException {
    byte[] input = Files.readAllBytes(crash);
    if (input.length == 0) {
      return "an empty input: " + log;
    }
    Method target = EveryReader.target(input);
    Path kept = FOUND.resolve(target.getName() + "-" + crash.getFileName());
    Files.write(kept, EveryReader.rest(input));
    return String.format(
        Locale.ROOT,
        "%s fails with the bytes in lab/%s, seed %d. Copy them to lab/%s/%sInputs/%s. %s",
        EveryReader.name(target),
        kept,
        SEED,
        CORPUS,
        target.getDeclaringClass().getSimpleName(),
        target.getName(),
        log.substring(Math.max(0, log.indexOf("== Java Exception"))));
  }

  private static long number(Pattern pattern, String log) {
    Matcher found = pattern.matcher(log);
    return found.find() ? Long.parseLong(found.group(1)) : 0;
  }
}
