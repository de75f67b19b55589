package io.cairn.engine.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LastIterationTest {
  @Test
  void pausesDoubleUpToSomeSeconds() {
    long pauseNanos = Duration.ofMillis(100).toNanos();
    assertThat(LastIteration.pauseAfter(pauseNanos)).isEqualTo(2 * pauseNanos);

    for (int tries = 0; tries < 100; tries++) {
      pauseNanos = LastIteration.pauseAfter(pauseNanos);
    }
    assertThat(pauseNanos).isEqualTo(Duration.ofSeconds(5).toNanos());
  }
}
