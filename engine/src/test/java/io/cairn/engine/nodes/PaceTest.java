package io.cairn.engine.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.engine.coordination.Waits;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PaceTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  private final AtomicLong clock = new AtomicLong(77);

  @Test
  void bytesBeyondTheRateAreOwed() {
    Pace pace = new Pace(1000, clock::get, Waits.REAL);

    assertThat(pace.owed(1000)).isEqualTo(SECOND);
    assertThat(pace.owed(500)).isEqualTo(SECOND + SECOND / 2);
  }

  @Test
  void timeThatPassedIsPaid() {
    Pace pace = new Pace(1000, clock::get, Waits.REAL);
    pace.owed(1000);

    clock.addAndGet(SECOND);

    assertThat(pace.owed(100)).isEqualTo(SECOND / 10);
  }

  @Test
  void idleTimeEarnsOneSecondOfCredit() {
    Pace pace = new Pace(1000, clock::get, Waits.REAL);

    clock.addAndGet(60 * SECOND);

    assertThat(pace.owed(1000)).isZero();
    assertThat(pace.owed(1000)).isEqualTo(SECOND);
  }

  @Test
  void withoutABoundNothingIsOwed() {
    Pace pace = new Pace(0, clock::get, Waits.REAL);

    assertThat(pace.owed(Integer.MAX_VALUE)).isZero();
  }
}
