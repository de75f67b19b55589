package io.cairn.core.cadence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Level;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The age of the newest checkpoint, in virtual time. */
class WorkAtRiskTest {
  private static final double WITHIN = 60;

  private record Flush(long iteration, double captured, double arrives) {}

  /** Flushes are looked at as they arrive; the oldest age is just before one does. */
  private static final class Training {
    private final WorkAtRisk risk = new WorkAtRisk(Map.of(Level.NODE, WITHIN));
    private final List<Flush> flushes = new ArrayList<>();
    private double now;
    private double newest;
    private double oldestAge;
    private int sent;

    void iteration(long iteration, double seconds, double latency, boolean due) {
      arrive(now + seconds);
      now += seconds;
      Set<Level> early = risk.captured(iteration, now, due ? Set.of(Level.NODE) : Set.of());
      if (due || early.contains(Level.NODE)) {
        flushes.add(new Flush(iteration, now, now + latency));
        sent++;
      }
    }

    private void arrive(double until) {
      for (Flush flush : List.copyOf(flushes)) {
        if (flush.arrives() <= until) {
          oldestAge = Math.max(oldestAge, flush.arrives() - newest);
          newest = Math.max(newest, flush.captured());
          risk.settled(flush.iteration(), Level.NODE, true, flush.arrives());
          flushes.remove(flush);
        }
      }
      oldestAge = Math.max(oldestAge, until - newest);
    }
  }

  /** Iterations and latencies differ by up to 40 % from one to the next. */
  @RepeatedTest(50)
  void noCheckpointGrowsOlderThanItsBound(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    double seconds = Math.exp(Math.log(0.01) + random.nextDouble() * Math.log(1500));
    double latency = random.nextDouble() * 15;
    long every = 1L + random.nextInt(20_000);
    Training training = new Training();

    for (long iteration = 0; training.now < 3600; iteration++) {
      double lasts = seconds * (1 + 0.4 * random.nextDouble());
      double takes = latency * (1 + 0.4 * random.nextDouble());
      training.iteration(iteration, lasts, takes, iteration % every == 0);
    }

    assertThat(training.oldestAge)
        .as(
            "seed %d: iterations of %.2f s, latency %.1f s, every %d",
            repetition.getCurrentRepetition(), seconds, latency, every)
        .isLessThanOrEqualTo(WITHIN);
  }

  /** Nothing is at DEVICE that could be sent when it is needed. */
  @RepeatedTest(50)
  void aGroupThatMissesEveryCaptureKeepsTheBoundByOrders(RepetitionInfo repetition) {
    Random random = new Random(repetition.getCurrentRepetition());
    double seconds = Math.exp(Math.log(0.01) + random.nextDouble() * Math.log(800));
    long step = 1L + random.nextInt(20);
    WorkAtRisk risk = new WorkAtRisk(Map.of(Level.NODE, WITHIN));
    Set<Long> ordered = new HashSet<>();
    double now = 0;
    double newest = 0;
    double oldestAge = 0;
    int orders = 0;

    for (long iteration = 0; now < 3600; iteration += step) {
      now += seconds * (1 + 0.4 * random.nextDouble());
      oldestAge = Math.max(oldestAge, now - newest);
      if (ordered.remove(iteration)) {
        newest = now;
        risk.settled(iteration, Level.NODE, true, now);
      }
      WorkAtRisk.Order order = risk.missed(iteration, now, Set.of());
      if (order.levels().contains(Level.NODE)) {
        assertThat(order.iteration()).isGreaterThan(iteration);
        ordered.add(order.iteration());
        orders++;
      }
    }

    String seed =
        String.format(
            Locale.ROOT,
            "seed %d: iterations of %.2f s",
            repetition.getCurrentRepetition(),
            seconds);
    assertThat(oldestAge).as(seed).isLessThanOrEqualTo(WITHIN);
    assertThat(orders).as(seed).isBetween(50, 250);
  }

  /** The order may arrive too late, or the write may fail. */
  @Test
  void anOrderThatIsNotCarriedOutIsFollowedByAnother() {
    WorkAtRisk risk = new WorkAtRisk(Map.of(Level.NODE, 8.0));
    risk.missed(0, 0, Set.of());
    risk.missed(1, 1, Set.of());
    WorkAtRisk.Order first = risk.missed(2, 2, Set.of());
    risk.settled(first.iteration(), Level.NODE, false, 5);

    WorkAtRisk.Order second = risk.missed(6, 6, Set.of());

    assertThat(first).isEqualTo(new WorkAtRisk.Order(5, Set.of(Level.NODE)));
    assertThat(second.levels()).containsExactly(Level.NODE);
    assertThat(second.iteration()).isGreaterThan(6);
  }

  /** A rank without the ordered iteration captures its next one so. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void theIterationAfterASkippedOrderCarriesItOut(boolean sealed) {
    WorkAtRisk risk = new WorkAtRisk(Map.of(Level.NODE, WITHIN));
    risk.missed(950, 0, Set.of());
    risk.missed(952, 1, Set.of());
    WorkAtRisk.Order order = risk.missed(955, 2, Set.of());
    risk.settled(order.iteration() + 2, Level.NODE, sealed, 6);

    double again = 6;
    while (again < 600 && risk.missed(960 + (long) again, again, Set.of()).levels().isEmpty()) {
      again++;
    }

    assertThat(order).isEqualTo(new WorkAtRisk.Order(964, Set.of(Level.NODE)));
    assertThat(again).isLessThanOrEqualTo(5 + WITHIN);
  }

  /** A newer checkpoint makes up for all that are on their way. */
  @Test
  void aSealedCheckpointEndsTheWaitForOlderOnes() {
    WorkAtRisk risk = new WorkAtRisk(Map.of(Level.NODE, WITHIN));
    risk.captured(0, 0, Set.of(Level.NODE));
    risk.captured(1, 20, Set.of(Level.NODE));
    risk.settled(1, Level.NODE, true, 25);
    assertThat(risk.captured(2, 40, Set.of())).isEmpty();
    assertThat(risk.captured(3, 60, Set.of())).containsExactly(Level.NODE);
  }

  /** Else a level that is slow receives more, and its latency is never learned. */
  @Test
  void aCheckpointThatFailsEndsNoOlderOneOnItsWay() {
    WorkAtRisk risk = new WorkAtRisk(Map.of(Level.NODE, WITHIN));
    risk.captured(0, 0, Set.of(Level.NODE));
    risk.settled(1, Level.NODE, false, 10);

    assertThat(risk.captured(2, 35, Set.of())).as("one on its way for long").isEmpty();
    risk.settled(0, Level.NODE, true, 40);
    assertThat(risk.captured(3, 41, Set.of())).as("by a latency of 40 s").isNotEmpty();
  }

  @Test
  void aCaptureThatIsMissedOnceIsMadeUpForByTheNext() {
    WorkAtRisk risk = new WorkAtRisk(Map.of(Level.NODE, WITHIN));

    assertThat(risk.missed(0, 1, Set.of()).levels()).isEmpty();
    assertThat(risk.missed(1, 2, Set.of()).levels()).isEmpty();
    assertThat(risk.captured(2, 3, Set.of())).containsExactly(Level.NODE);
  }

  @Test
  void aCadenceThatKeepsTheBoundIsLeftAlone() {
    Training training = new Training();

    for (long iteration = 0; iteration < 1000; iteration++) {
      training.iteration(iteration, 1, 5, iteration % 30 == 0);
    }

    assertThat(training.sent).isEqualTo(34);
  }

  /** More would wait behind each other, and hold memory. */
  @Test
  void aLevelThatIsSlowerThanItsBoundReceivesOneAtATime() {
    Training training = new Training();

    for (long iteration = 0; iteration < 10_000; iteration++) {
      training.iteration(iteration, 1, 100, false);
    }

    assertThat(training.sent).isBetween(95, 100);
  }

  /** A lost message must not end the protection of an epoch. */
  @Test
  void aCheckpointWhoseOutcomeNeverComesIsReplaced() {
    WorkAtRisk risk = new WorkAtRisk(Map.of(Level.NODE, WITHIN));
    risk.captured(0, 0, Set.of(Level.NODE));
    List<Long> sent = new ArrayList<>();

    for (long second = 1; second < 600; second++) {
      if (!risk.captured(second, (double) second, Set.of()).isEmpty()) {
        sent.add(second);
      }
    }

    assertThat(sent).containsExactly(241L, 482L);
  }

  /** A failure per epoch may not postpone a level for ever. */
  @Test
  void theFirstCaptureOfAnEpochGoesToEveryBoundedLevel() {
    WorkAtRisk risk = new WorkAtRisk(Map.of(Level.NODE, 60.0, Level.STORE, 600.0));

    assertThat(risk.captured(101, 7, Set.of(Level.NODE))).isEqualTo(Set.of(Level.STORE));
  }

  /** A store that refuses everything is asked again after an eighth of the bound. */
  @Test
  void aCheckpointForPeerGoesToNodeToo() {
    Map<Level, Double> within = Map.of(Level.NODE, 600.0, Level.PEER, 60.0);
    WorkAtRisk risk = new WorkAtRisk(within);
    risk.captured(0, 0, Set.of(Level.NODE, Level.PEER));
    risk.settled(0, Level.NODE, true, 1);
    risk.settled(0, Level.PEER, true, 1);

    assertThat(risk.captured(1, 58, Set.of())).containsExactlyInAnyOrder(Level.NODE, Level.PEER);
    risk.settled(1, Level.PEER, true, 59);
    assertThat(risk.captured(2, 116, Set.of(Level.NODE))).containsExactly(Level.PEER);
  }

  @Test
  void anOrderForPeerIsOneForNodeToo() {
    WorkAtRisk risk = new WorkAtRisk(Map.of(Level.PEER, 8.0));
    risk.captured(0, 0, Set.of());
    risk.settled(0, Level.PEER, false, 1);

    risk.missed(1, 2, Set.of());
    risk.missed(2, 4, Set.of());
    WorkAtRisk.Order order = risk.missed(3, 6, Set.of());

    assertThat(order.levels()).containsExactlyInAnyOrder(Level.NODE, Level.PEER);
  }

  @Test
  void aLevelThatFailsIsTriedAgainAndNotAtEveryIteration() {
    WorkAtRisk risk = new WorkAtRisk(Map.of(Level.STORE, 80.0));
    List<Long> tried = new ArrayList<>();

    for (long iteration = 0; iteration < 50; iteration++) {
      if (!risk.captured(iteration, (double) iteration, Set.of()).isEmpty()) {
        tried.add(iteration);
        risk.settled(iteration, Level.STORE, false, (double) iteration);
      }
    }

    assertThat(tried).containsExactly(0L, 10L, 20L, 30L, 40L);
  }

  @Test
  void boundsOfNoTimeOrOfDeviceAreRefused() {
    assertThatThrownBy(() -> WorkAtRisk.checked(Map.of(Level.NODE, 0.0)))
        .hasMessageContaining("NODE")
        .hasMessageContaining("0.0");
    assertThatThrownBy(() -> WorkAtRisk.checked(Map.of(Level.DEVICE, 1.0)))
        .hasMessageContaining("DEVICE");
  }
}
