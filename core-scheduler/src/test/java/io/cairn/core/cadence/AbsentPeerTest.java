package io.cairn.core.cadence;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Level;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A level that no checkpoint reaches for long, since there is no partner. */
class AbsentPeerTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final CadencePlan START = CadencePlan.every(1, 10, 100).with(Level.PEER, 10);

  private final AdaptiveCadence cadence =
      new AdaptiveCadence(AdaptiveSettings.defaults(Set.of(Level.values())), START);

  private void measure(Level level, long latencySeconds) {
    cadence.measured(0, level, new Measurement(1000, latencySeconds * SECOND, SECOND, Set.of()));
  }

  @Test
  void theCadenceAdaptsAndKeepsThePeriodOfPeer() {
    measure(Level.DEVICE, 0);
    measure(Level.NODE, 1);
    measure(Level.STORE, 20);

    Optional<CadenceSearch> search = cadence.patternEnded();

    assertThat(search.orElseThrow().run().periods().orElseThrow()).containsKey(Level.PEER);
  }

  @Test
  void withoutStoresCostsNothingIsKnown() {
    measure(Level.DEVICE, 0);
    measure(Level.NODE, 1);

    assertThat(cadence.patternEnded()).isEmpty();
  }

  @Test
  void theCostsOfStoreStandInForThoseOfPeer() {
    measure(Level.DEVICE, 0);
    measure(Level.NODE, 1);
    measure(Level.STORE, 20);
    long before = periodOfPeer();

    measure(Level.PEER, 1);

    assertThat(periodOfPeer()).isLessThan(before);
  }

  private long periodOfPeer() {
    Map<Level, Long> periods = cadence.patternEnded().orElseThrow().run().periods().orElseThrow();
    return periods.getOrDefault(Level.PEER, 0L);
  }

  @Test
  void periodsThatWereLearnedWithoutPeerAreNotTaken() {
    Map<Level, Long> periods = Map.of(Level.DEVICE, 1L, Level.NODE, 7L, Level.STORE, 70L);
    Map<Level, Learned.Cost> costs = Map.of(Level.NODE, new Learned.Cost(0, 1, 0));

    cadence.begin(new Learned(periods, Map.of(), 100, 1, Map.of(), costs));

    assertThat(cadence.plan()).isEqualTo(START);
  }
}
