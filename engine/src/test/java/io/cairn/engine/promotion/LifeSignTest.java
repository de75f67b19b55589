package io.cairn.engine.promotion;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.core.goodput.Cause;
import io.cairn.core.goodput.CauseTimes;
import io.cairn.core.goodput.GoodputRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LifeSignTest {
  @TempDir Path directory;

  private Path file() {
    return directory.resolve("group/alive-r00000");
  }

  private static GoodputRecord record(long number) {
    CauseTimes times = new CauseTimes(Map.of(Cause.TRAINING, number * 1_000_000));
    return new GoodputRecord(number, number, 0, false, new TreeMap<>(Map.of(1L, times)));
  }

  private Optional<GoodputRecord> found() throws IOException {
    try (LifeSign sign = LifeSign.open(file())) {
      return sign.found();
    }
  }

  @Test
  void aNewFileHasNoAccount() throws IOException {
    assertThat(found()).isEmpty();
    assertThat(found()).isEmpty();
  }

  @Test
  void theNewestAccountIsFound() throws IOException {
    for (int number = 1; number <= 5; number++) {
      try (LifeSign sign = LifeSign.open(file())) {
        for (int more = 0; more < number; more++) {
          sign.write(record(10 * number + more));
        }
      }
      assertThat(found()).contains(record(11 * number - 1));
    }
  }

  @RepeatedTest(20)
  void aWriteThatBrokeOffLeavesTheAccountBefore(RepetitionInfo seed) throws IOException {
    Random random = new Random(seed.getCurrentRepetition());
    try (LifeSign sign = LifeSign.open(file())) {
      sign.write(record(1));
      sign.write(record(2));
    }
    byte[] before = Files.readAllBytes(file());
    try (LifeSign sign = LifeSign.open(file())) {
      sign.write(record(3));
    }
    byte[] torn = Files.readAllBytes(file());
    int kept = random.nextInt(60);
    System.arraycopy(before, kept, torn, kept, 4096 - kept);
    Files.write(file(), torn);

    assertThat(found().orElseThrow().furthest()).as("seed %s", seed).isIn(2L, 3L);
  }

  /** A suspended process of an earlier attempt may wake up and write once more. */
  @Test
  void theNewestEpochIsFoundBeforeTheNewestTime() throws IOException {
    GoodputRecord second =
        new GoodputRecord(5, 9, 0, false, new TreeMap<>(Map.of(2L, CauseTimes.NONE)));
    try (LifeSign sign = LifeSign.open(file())) {
      sign.write(second);
      sign.write(record(8));
    }

    assertThat(found()).contains(second);
  }

  @RepeatedTest(20)
  void anyBytesAreNoAccount(RepetitionInfo seed) throws IOException {
    Random random = new Random(seed.getCurrentRepetition());
    byte[] bytes = new byte[random.nextInt(9000)];
    random.nextBytes(bytes);
    Files.createDirectories(file().getParent());
    Files.write(file(), bytes);

    assertThat(found()).as("seed %s", seed).isEmpty();
  }
}
