package io.cairn.flush.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Level;
import io.cairn.core.cadence.Learned;
import io.cairn.core.cadence.PeriodBound;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LearnedCodecTest {
  private static final Learned LEARNED =
      new Learned(
          Map.of(Level.DEVICE, 1L, Level.NODE, 40L, Level.STORE, 400L),
          Map.of(
              Level.DEVICE, PeriodBound.OPTIMUM,
              Level.NODE, PeriodBound.WITHIN,
              Level.STORE, PeriodBound.DRAIN),
          5321.7,
          0.0123,
          Map.of(Level.NODE, 2),
          Map.of(Level.NODE, new Learned.Cost(0, 0.021, 0.004)));

  @Test
  void readsBackItsText() {
    assertThat(LearnedCodec.decode(LearnedCodec.encode(LEARNED))).contains(LEARNED);
  }

  /** A damaged text is either refused or that of legal measurements; it never throws. */
  @RepeatedTest(200)
  void damageIsNoError(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    byte[] text = LearnedCodec.encode(LEARNED);
    for (int damaged = 0; damaged < 3; damaged++) {
      text[random.nextInt(text.length)] = (byte) random.nextInt(128);
    }

    assertThat(LearnedCodec.decode(text).stream().map(Learned::seconds))
        .as("seed %d", repetition.getCurrentRepetition())
        .allMatch(seconds -> seconds >= 0);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "cairn-cadence 2\nperiod NODE 1 START",
        "cairn-cadence 1\n",
        "cairn-cadence 1\nperiod NODE 0 START",
        "cairn-cadence 1\nperiod NODE 7 START\nperiod STORE 10 START",
        "cairn-cadence 1\nperiod NODE 1 START\nseconds -1",
        "cairn-cadence 1\nperiod NODE 1 START\niteration NaN",
        "cairn-cadence 1\nperiod NODE 1 START\ncost NODE 1 1",
        "cairn-cadence 1\nperiod NODE 1 START\nfailures NODE -1",
        "cairn-cadence 1\nperiod NODE 1 START\nweather fine"
      })
  void refusesTextsOfNoCadence(String text) {
    assertThat(LearnedCodec.decode(text.getBytes(UTF_8))).isEmpty();
  }
}
