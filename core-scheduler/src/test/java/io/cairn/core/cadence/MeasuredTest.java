package io.cairn.core.cadence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cairn.Level;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The slow-down by a flush, from iterations with it and without. */
class MeasuredTest {
  /**
   * Iterations of 1 s. A flush of 0.5 s with α = 1 lets 0.25 s of work be done in that time, so its
   * iteration takes 1.25 s. A flush of 4 s makes all of an iteration of 2 s slow. An iteration that
   * is slower than any flush of this length can make it counts in proportion.
   */
  @ParameterizedTest
  @CsvSource({"0.5,1.25,1", "0.5,1,0", "1.5,1.75,1", "4,2,1", "4,1.1,0.1", "0.5,2,2"})
  void aFlushSlowsTheWorkBesideIt(double latency, double during, double factor) {
    Measured measured = new Measured();
    measured.add(0, Level.DEVICE, work(1, Set.of()));
    measured.add(0, Level.DEVICE, work(during, Set.of(Level.NODE)));
    measured.add(0, Level.NODE, new Measurement(0, nanos(latency), 0, Set.of()));

    assertThat(measured.overheadFactor(Level.NODE)).isCloseTo(factor, within(1e-6));
  }

  private static Measurement work(double seconds, Set<Level> flushing) {
    return new Measurement(0, 0, nanos(seconds), flushing);
  }

  private static long nanos(double seconds) {
    return (long) (seconds * 1e9);
  }
}
