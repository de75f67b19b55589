package io.cairn.core.goodput;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Level;
import io.cairn.core.cadence.Learned;
import io.cairn.core.model.Fingerprint;
import java.util.EnumMap;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GoodputEntriesTest {
  @RepeatedTest(50)
  void comeBackAsTheyWere(RepetitionInfo seed) {
    Random random = new Random(seed.getCurrentRepetition());
    GoodputRecord record = record(random, 1 + random.nextInt(6));

    SortedMap<String, String> entries = GoodputEntries.of(record);

    assertThat(GoodputEntries.in(new Fingerprint(entries))).as("seed %s", seed).contains(record);
  }

  @Test
  void olderEpochsAreSummedUp() {
    GoodputRecord record = record(new Random(1), 40);

    assertThat(record.epochs()).hasSize(GoodputRecord.MOST_EPOCHS + 1);
    assertThat(record.epochs().firstKey()).isEqualTo(GoodputRecord.OLDER);
    assertThat(record.epochs().lastKey()).isEqualTo(40);
  }

  @Test
  void theLongestAccountAndAllMeasurementsFitIntoAManifest() {
    Map<Cause, Long> centuries = new EnumMap<>(Cause.class);
    for (Cause cause : Cause.values()) {
      centuries.put(cause, Long.MAX_VALUE / 100);
    }
    SortedMap<Long, CauseTimes> epochs = new TreeMap<>();
    for (long epoch = 9_999_999_999_900L; epoch <= 9_999_999_999_999L; epoch++) {
      epochs.put(epoch, new CauseTimes(Map.of(Cause.TRAINING, 1_000_000L)));
    }
    epochs.put(9_999_999_999_999L, new CauseTimes(centuries));
    GoodputRecord record =
        new GoodputRecord(4_000_000_000_000L, Long.MAX_VALUE / 10, 1L << 50, true, epochs);
    Map<Level, Long> periods = new EnumMap<>(Level.class);
    Map<Level, Learned.Cost> costs = new EnumMap<>(Level.class);
    Map<Level, Integer> failures = new EnumMap<>(Level.class);
    for (Level level : Level.values()) {
      periods.put(level, 1L << 50);
      costs.put(level, new Learned.Cost(Math.PI * 1e-300, Math.E * 1e200, 1 / 3.0));
      failures.put(level, 123_456_789);
    }
    Learned learned = new Learned(periods, Map.of(), 1e15 / 7, 1e-9 / 7, failures, costs);
    SortedMap<String, String> entries = new TreeMap<>(GoodputEntries.of(record));
    entries.putAll(LearnedEntries.of(learned));
    entries.put("checkpoint.score", "1");
    entries.put("checkpoint.time", "1");

    Fingerprint written = new Fingerprint(entries);

    assertThat(LearnedEntries.in(written)).contains(learned);
    assertThat(GoodputEntries.in(written).orElseThrow().epochs().lastKey())
        .isEqualTo(9_999_999_999_999L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "2026-11-23T08:09:10.123Z 1 1",
        "yesterday 1 1 training",
        "2026-11-23T08:09:10.123Z -2 1 training",
        "2026-11-23T08:09:10.123Z 1 1 running",
        "+1000000000-12-31T23:59:59Z 1 1 training"
      })
  void anotherFormIsNoAccount(String head) {
    SortedMap<String, String> entries = new TreeMap<>();
    if (!head.isEmpty()) {
      entries.put("checkpoint.goodput", head);
    }
    assertThat(GoodputEntries.in(new Fingerprint(entries))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1 2 3", "1 2 3 4 5 6 7 8 9 -1", "1 2 3 4 5 6 7 8 9 123456789012"})
  void timesOfAnotherFormAreNoAccount(String times) {
    SortedMap<String, String> entries = new TreeMap<>(GoodputEntries.of(record(new Random(1), 1)));
    entries.put("checkpoint.goodput.1", times);

    assertThat(GoodputEntries.in(new Fingerprint(entries))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "1 0.5 0.5 0.5", "1 3 0.5 NaN 0.5", "-1 3", "1 3 0.5 1E999 0.5"})
  void measurementsOfAnotherFormAreNone(String atNode) {
    SortedMap<String, String> entries = new TreeMap<>();
    entries.put("checkpoint.learned", "10.0 0.5");
    entries.put("checkpoint.learned.device", "0 1");
    entries.put("checkpoint.learned.node", atNode);

    assertThat(LearnedEntries.in(new Fingerprint(entries))).isEmpty();
  }

  private static GoodputRecord record(Random random, int epochs) {
    SortedMap<Long, CauseTimes> times = new TreeMap<>();
    for (long epoch = 1; epoch <= epochs; epoch++) {
      Map<Cause, Long> nanos = new EnumMap<>(Cause.class);
      for (Cause cause : Cause.values()) {
        nanos.put(cause, 1_000_000L * random.nextInt(3) * random.nextInt(1_000_000));
      }
      times.put(epoch, new CauseTimes(nanos));
    }
    return new GoodputRecord(
        1_700_000_000_000L + random.nextInt(),
        random.nextInt(1000) - 1,
        1000L * random.nextInt(1_000_000),
        random.nextBoolean(),
        times);
  }
}
