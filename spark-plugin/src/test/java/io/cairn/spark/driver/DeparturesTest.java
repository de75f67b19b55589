package io.cairn.spark.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.codahale.metrics.MetricRegistry;
import io.cairn.GroupId;
import io.cairn.Member;
import io.cairn.engine.events.Counters;
import io.cairn.engine.events.GoodputBook;
import io.cairn.engine.runtime.RunningRank;
import io.cairn.spark.metrics.ApplicationTotals;
import io.cairn.spark.metrics.CairnMetrics;
import io.cairn.spark.metrics.ProcessTotals;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.apache.spark.scheduler.JobSucceeded$;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.junit.jupiter.api.Test;
import scala.collection.immutable.List$;

/** Events of executors and jobs on Spark's bus, in the metric of lost ranks. */
class DeparturesTest {
  private final ApplicationTotals totals = new ApplicationTotals();
  private final Departures departures = new Departures(totals);
  private final MetricRegistry registry = new MetricRegistry();

  DeparturesTest() {
    CairnMetrics.registerLost(registry, totals);
  }

  private Object lost() {
    return Objects.requireNonNull(registry.getGauges().get("ranks.lost")).getValue();
  }

  @Test
  void aRankIsLostFromTheEndOfItsExecutorToThatOfItsJob() {
    departures.onJobStart(new SparkListenerJobStart(4, 1, List$.MODULE$.empty(), new Properties()));
    RunningRank rank = new RunningRank(new Member(new GroupId("job", "g"), 0, 1), 7, Map.of());
    GoodputBook goodput = new GoodputBook(() -> 0, () -> 0, 0);
    totals.take(ProcessTotals.of("1", new Counters(), goodput, List.of(rank)));
    assertThat(lost()).isEqualTo(0);

    departures.onExecutorRemoved(new SparkListenerExecutorRemoved(2, "1", "killed"));
    assertThat(lost()).isEqualTo(1);

    departures.onJobEnd(new SparkListenerJobEnd(4, 3, JobSucceeded$.MODULE$));
    assertThat(lost()).isEqualTo(0);
  }
}
