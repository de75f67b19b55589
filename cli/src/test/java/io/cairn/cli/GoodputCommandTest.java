package io.cairn.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.core.cadence.Learned;
import io.cairn.core.goodput.Cause;
import io.cairn.core.goodput.CauseTimes;
import io.cairn.core.goodput.GoodputEntries;
import io.cairn.core.goodput.GoodputRecord;
import io.cairn.core.goodput.LearnedEntries;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.Fingerprint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GoodputCommandTest {
  private static final GroupId GROUP = new GroupId("digits", "fold-1");
  private static final long SECOND = 1_000_000_000L;
  private static final long NOON = 1_777_636_800_000L;

  @TempDir Path directory;

  private static CauseTimes times(long training, Cause other, long seconds) {
    return new CauseTimes(Map.of(Cause.TRAINING, training * SECOND, other, seconds * SECOND));
  }

  private static Learned learned(double seconds, Map<Level, Integer> failures) {
    return new Learned(
        Map.of(Level.DEVICE, 1L, Level.NODE, 10L),
        Map.of(),
        seconds,
        1,
        failures,
        Map.of(
            Level.DEVICE, new Learned.Cost(0.01, 0, 0), Level.NODE, new Learned.Cost(0, 0.5, 0.1)));
  }

  private void write(int size, long iteration, long asOfMillis, SortedMap<Long, CauseTimes> epochs)
      throws IOException {
    write(size, iteration, asOfMillis, epochs, learned(3600, Map.of(Level.NODE, 6)));
  }

  private void write(
      int size,
      long iteration,
      long asOfMillis,
      SortedMap<Long, CauseTimes> epochs,
      Learned learned)
      throws IOException {
    try (Checkpoints checkpoints = new Checkpoints(directory)) {
      TreeMap<String, String> entries =
          new TreeMap<>(
              GoodputEntries.of(new GoodputRecord(asOfMillis, iteration, 1000, false, epochs)));
      entries.putAll(LearnedEntries.of(learned));
      checkpoints.writtenBy(new Fingerprint(entries));
      checkpoints.takeEpoch(GROUP);
      checkpoints.write(GROUP, size, 1, iteration, Ancestry.NONE);
    }
  }

  private CommandRun run(String... more) {
    String[] line = new String[2 + more.length];
    line[0] = "goodput";
    line[1] = directory.toString();
    System.arraycopy(more, 0, line, 2, more.length);
    return CommandRun.of(line);
  }

  private JsonNode group() throws IOException {
    return Json.tree(run("--json").out()).get("groups").get(0);
  }

  @Test
  void theNewestAccountOfEachRankIsSummedUp() throws IOException {
    write(2, 5, NOON, new TreeMap<>(Map.of(1L, times(50, Cause.STALL, 1))));
    write(
        2,
        9,
        NOON + 1000,
        new TreeMap<>(Map.of(1L, times(60, Cause.STALL, 2), 2L, times(30, Cause.REDONE, 8))));

    JsonNode group = group();

    assertThat(group.get("ranks").asInt()).isEqualTo(2);
    assertThat(group.get("until").asText()).isEqualTo("2026-05-01T12:00:01Z");
    assertThat(group.get("all").get("seconds").asDouble()).isEqualTo(200);
    assertThat(group.get("all").get("ettr").asDouble()).isEqualTo(0.9);
    assertThat(group.get("all").get("causes").get("redone").asDouble()).isEqualTo(16);
    assertThat(group.get("epochs").get(0).get("times").get("causes").get("stall").asDouble())
        .isEqualTo(4);
    assertThat(group.get("epochs").get(1).get("epoch").asInt()).isEqualTo(2);
  }

  @Test
  void thePredictedWasteIsThatOfItsCadence() throws IOException {
    write(1, 9, NOON, new TreeMap<>(Map.of(1L, times(90, Cause.REDONE, 10))));

    // stalls of 1 %, and failures that each lose some of ten iterations
    assertThat(group().get("predictedWaste").asDouble()).isBetween(0.012, 0.03);
  }

  @Test
  void beforeAFailureWasSeenTheDefaultsOfTheSettingsCount() throws IOException {
    write(1, 9, NOON, new TreeMap<>(Map.of(1L, times(90, Cause.REDONE, 10))), learned(0, Map.of()));

    // a failure that needs NODE every ten minutes loses about six iterations of a second
    assertThat(group().get("predictedWaste").asDouble()).isBetween(0.02, 0.04);
  }

  @Test
  void printsEpochsAndCauses() throws IOException {
    write(1, 9, NOON, new TreeMap<>(Map.of(1L, times(5400, Cause.WAITING, 600))));

    assertThat(run().out())
        .contains("digits/fold-1", "1.7 h of 1 rank until 2026-05-01T12:00:00Z: ETTR 0.9000")
        .contains("waste 10.00 %, predicted ")
        .containsPattern("epoch +time +ETTR +training +stall +flush +redone +detection")
        .containsPattern("1 +1.7 h +0.9000 +90 min +0 +0 +0 +0 +0 +0 +0 +10 min +0")
        .containsPattern("all +1.7 h");
  }

  @Test
  void checkpointsWithoutAnAccountAreNoFailure() throws IOException {
    try (Checkpoints checkpoints = new Checkpoints(directory)) {
      checkpoints.takeEpoch(GROUP);
      checkpoints.write(GROUP, 1, 1, 5, Ancestry.NONE);
    }

    assertThat(run().exit()).isEqualTo(ExitCodes.GOOD);
    assertThat(run().out()).contains("holds no account of any group's time");
  }
}
