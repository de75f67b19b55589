package io.cairn.engine.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RepeatsTest {
  private long nowNanos;
  private final Repeats repeats = new Repeats(() -> nowNanos);

  /** A week of an outage, with a failure per second. */
  @Test
  void aLastingTroubleFillsNoDisk() {
    List<String> written = new ArrayList<>();

    for (int second = 0; second < 604_800; second++) {
      repeats.pass("STORE").ifPresent(written::add);
      nowNanos += TimeUnit.SECONDS.toNanos(1);
    }

    assertThat(written).hasSizeBetween(1_000, 1_100);
    assertThat(written.get(1)).isEqualTo(" (and 9 more since the last such line)");
  }

  @Test
  void oneTroubleHidesNoOther() {
    repeats.pass("STORE");

    assertThat(repeats.pass("STORE")).isEmpty();
    assertThat(repeats.pass("NODE")).contains("");
  }

  @Test
  void troublesThatEndedAreForgotten() {
    for (int minute = 0; minute < 600; minute++) {
      repeats.pass("trial-" + minute);
      nowNanos += TimeUnit.MINUTES.toNanos(1);
    }

    assertThat(repeats.kinds()).isBetween(10, 11);
    assertThat(repeats.pass("trial-0")).contains("");
    assertThat(repeats.pass("trial-0")).isEmpty();
  }

  @Test
  void troublesOfTheLongPastAreForgotten() {
    for (int i = 0; i < Repeats.MOST_KINDS + 100; i++) {
      repeats.pass("trial-" + i);
    }

    assertThat(repeats.kinds()).isEqualTo(Repeats.MOST_KINDS);
  }
}
