package io.cairn.spark.metrics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.codahale.metrics.MetricRegistry;
import io.cairn.CairnEvent;
import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.core.goodput.Cause;
import io.cairn.core.threads.DaemonThreads;
import io.cairn.engine.events.Counters;
import io.cairn.engine.events.GoodputBook;
import io.cairn.engine.runtime.RunningRank;
import io.cairn.spark.ui.PageJson;
import io.cairn.spark.ui.Report;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Counters of processes, and their sums. */
class ApplicationTotalsTest {
  private final ApplicationTotals totals = new ApplicationTotals();
  private final MetricRegistry registry = new MetricRegistry();

  ApplicationTotalsTest() {
    CairnMetrics.register(registry, totals);
  }

  private static final List<Long> IDLE = Collections.nCopies(KnownMetrics.NOW.size(), 0L);

  private static ProcessTotals totals(String process, String metric, long value) {
    List<Long> values = new ArrayList<>(Collections.nCopies(KnownMetrics.SUMS.size(), 0L));
    values.set(KnownMetrics.SUMS.stream().map(Metric::name).toList().indexOf(metric), value);
    return arrived(new ProcessTotals(process, values, IDLE, List.of()));
  }

  private static ProcessTotals arrived(ProcessTotals sent) {
    ByteBuffer bytes = PageJson.encode(new Report(sent, null));
    return Objects.requireNonNull(PageJson.decodeReport(bytes).totals());
  }

  private Object gauge(String metric) {
    return Objects.requireNonNull(registry.getGauges().get(metric)).getValue();
  }

  @Test
  void processesAreAddedUp() {
    totals.take(totals("1", "store.sealed", 3));
    totals.take(totals("2", "store.sealed", 4));
    totals.take(totals("1", "store.sealed", 5));

    assertThat(gauge("store.sealed")).isEqualTo(9L);
    assertThat(gauge("store.failed")).isEqualTo(0L);
  }

  @Test
  void noSumFalls() {
    totals.take(totals("1", "captures", 5));
    totals.take(totals("1", "captures", 4));

    assertThat(gauge("captures")).isEqualTo(5L);
  }

  @Test
  void theRatioIsThatOfAllTimes() {
    assertThat((Double) gauge("goodput.ettr")).isNaN();
    totals.take(totals("1", KnownMetrics.name(Cause.TRAINING), 300));
    totals.take(totals("2", KnownMetrics.name(Cause.RESTART), 100));

    assertThat((Double) gauge("goodput.ettr")).isEqualTo(0.75);
  }

  /** The first iteration of a rank counts as warm-up until there is a second one. */
  @Test
  void timeThatGetsAnotherCauseCountsOnce() {
    ProcessTotals first = totals("1", KnownMetrics.name(Cause.WARM_UP), 8);
    totals.take(first);
    totals.take(totals("1", KnownMetrics.name(Cause.TRAINING), 16));
    totals.take(first); // late

    assertThat(gauge("goodput.warm-up.nanos")).isEqualTo(0L);
    assertThat((Double) gauge("goodput.ettr")).isEqualTo(1.0);
  }

  @Test
  void theDriversOwnAreReadWithEachSum() {
    Counters counters = new Counters();
    totals.include(
        () ->
            ProcessTotals.of("driver", counters, new GoodputBook(() -> 0, () -> 0, 0), List.of()));
    totals.take(totals("1", "device.evictions", 2));
    GroupId group = new GroupId("job", "g");
    counters.accept(new CairnEvent.Evicted(new CheckpointId(group, 1, 1), 0));

    assertThat(gauge("device.evictions")).isEqualTo(3L);
  }

  /** Threads fail in drivers without ranks, too. */
  @Test
  void theDriversFailuresCount() {
    totals.include(() -> ProcessTotals.withoutRanks("driver"));
    long before = (Long) gauge("failures");
    totals.take(totals("1", "failures", 2));

    DaemonThreads.report("a part", new IllegalStateException("on purpose"));

    assertThat(gauge("failures")).isEqualTo(before + 3);
    assertThat(gauge("captures")).isEqualTo(0L);
  }

  /** A process in which these ranks run, of which one waits for STORE. */
  private void runs(String process, long waitingNanos, int... ranks) {
    List<RunningRank> running = new ArrayList<>();
    for (int rank : ranks) {
      Member member = new Member(new GroupId("job", "g"), rank, 8);
      running.add(new RunningRank(member, 7, Map.of(Level.STORE, waitingNanos)));
    }
    ProcessTotals sent =
        ProcessTotals.of(process, new Counters(), new GoodputBook(() -> 0, () -> 0, 0), running);
    totals.take(arrived(sent));
  }

  @Test
  void theOldestWaitOfAllProcessesCounts() {
    runs("1", 5, 0, 1);
    runs("2", 120_000_000_000L, 2);

    assertThat(gauge("store.waiting.nanos")).isEqualTo(120_000_000_000L);
    assertThat(gauge("node.waiting.nanos")).isEqualTo(0L);
    assertThat(gauge("ranks")).isEqualTo(3L);

    totals.gone("2");
    assertThat(gauge("store.waiting.nanos")).as("nobody waits there any more").isEqualTo(5L);
  }

  @Test
  void ranksOfAProcessThatIsGoneAreLostUntilTheyRunElsewhere() {
    CairnMetrics.registerLost(registry, totals);
    totals.began(0);
    runs("1", 0, 0, 1);
    runs("2", 0, 2);
    assertThat(gauge("ranks.lost")).isEqualTo(0);

    totals.gone("1");
    runs("1", 0, 0, 1); // late
    assertThat(gauge("ranks.lost")).isEqualTo(2);
    assertThat(gauge("ranks")).isEqualTo(1L);

    runs("2", 0, 2, 0);
    assertThat(gauge("ranks.lost")).isEqualTo(1);
    runs("3", 0, 1);
    assertThat(gauge("ranks.lost")).isEqualTo(0);
  }

  /** Dynamic allocation removes executors whose trainings have ended. */
  @Test
  void ranksThatHaveLeftAreNotLost() {
    CairnMetrics.registerLost(registry, totals);
    totals.began(0);
    runs("1", 0, 0);
    runs("1", 0);

    totals.gone("1");

    assertThat(gauge("ranks.lost")).isEqualTo(0);
  }

  /** The end of its job ends a rank: no process will report it. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void ranksOfAJobThatEndedAreNotLost(boolean jobEndsFirst) {
    CairnMetrics.registerLost(registry, totals);
    totals.began(4);
    runs("1", 0, 0, 1);
    if (jobEndsFirst) {
      totals.ended(4);
      totals.gone("1");
    } else {
      totals.gone("1");
      assertThat(gauge("ranks.lost")).isEqualTo(2);
      totals.ended(4);
    }

    assertThat(gauge("ranks.lost")).isEqualTo(0);
  }

  /** Several jobs run at once, and which of them has the rank is not known. */
  @Test
  void aRankIsLostWhileAJobRunsThatMayBringItBack() {
    CairnMetrics.registerLost(registry, totals);
    totals.began(4);
    totals.began(5);
    runs("1", 0, 0, 1);
    totals.gone("1");
    totals.began(6);

    totals.ended(4);
    assertThat(gauge("ranks.lost")).isEqualTo(2);
    runs("2", 0, 1);
    assertThat(gauge("ranks.lost")).isEqualTo(1);
    totals.ended(5);
    assertThat(gauge("ranks.lost")).as("job 6 began without it").isEqualTo(0);
  }

  @Test
  void otherTotalsAreRefused() {
    for (String totals :
        List.of(
            "[]",
            "{}",
            "{\"process\":\"1\"}",
            "{\"process\":\"1\",\"values\":[1],\"now\":[null]}",
            "7")) {
      ByteBuffer bytes = UTF_8.encode("{\"totals\":" + totals + "}");
      assertThatIllegalArgumentException()
          .as(totals)
          .isThrownBy(() -> PageJson.decodeReport(bytes));
    }
  }

  @Test
  void totalsOfAnotherVersionAreRefusedWithTheReason() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ProcessTotals("1", List.of(1L), IDLE, List.of()))
        .withMessageContaining("the same version");
  }
}
