package io.cairn.spark.driver;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.GroupId;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import scala.collection.Iterator;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction1;

/** Jobs of a real context whose tasks join a coupled group. */
@Timeout(120)
class BarrierStagesTest {
  private static final List<String> WARNINGS = Collections.synchronizedList(new ArrayList<>());
  private static final BarrierStages STAGES = new BarrierStages(WARNINGS::add);
  private static final GroupId GROUP = new GroupId("job", "pair");

  private static JavaSparkContext spark;

  @BeforeAll
  static void start() {
    spark =
        new JavaSparkContext(
            new SparkConf(false)
                .setMaster("local[2]")
                .setAppName("barrier-stages-test")
                .set("spark.ui.enabled", "false")
                .set("spark.driver.host", "127.0.0.1")
                .set("spark.driver.bindAddress", "127.0.0.1"));
    spark.sc().addSparkListener(STAGES);
  }

  @AfterAll
  static void stop() {
    spark.close();
  }

  @BeforeEach
  void forget() {
    WARNINGS.clear();
  }

  /** A rank, in the process of the driver: local mode has one process. */
  private static final class Joining extends AbstractFunction1<Iterator<Integer>, Iterator<Integer>>
      implements Serializable {
    private static final long serialVersionUID = 1;

    @Override
    public Iterator<Integer> apply(Iterator<Integer> ranks) {
      join();
      return ranks;
    }
  }

  private static void join() {
    try {
      spark.sc().listenerBus().waitUntilEmpty(60_000);
    } catch (TimeoutException e) {
      throw new IllegalStateException(e);
    }
    STAGES.joined(GROUP);
  }

  private static JavaRDD<Integer> barrier() {
    return spark
        .parallelize(List.of(0, 1), 2)
        .rdd()
        .barrier()
        .mapPartitions(new Joining(), false, ClassTag$.MODULE$.<Integer>apply(Integer.class))
        .toJavaRDD();
  }

  @Test
  void aBarrierStageThatEndsItsJobIsWarnedOfOnce() {
    assertThat(barrier().map(rank -> rank + 1).collect()).containsExactly(1, 2);

    assertThat(WARNINGS)
        .singleElement()
        .asString()
        .contains("job/pair")
        .contains("barrier stage")
        .contains("repartition(1)");
  }

  @Test
  void aShuffleAfterTheBarrierIsSafe() {
    assertThat(barrier().repartition(1).collect()).containsExactlyInAnyOrder(0, 1);

    assertThat(WARNINGS).isEmpty();
  }

  @Test
  void otherStagesAreNotWarnedOf() {
    spark.parallelize(List.of(0, 1), 2).foreach(rank -> join());

    assertThat(WARNINGS).isEmpty();
  }

  @Test
  void aStageThatEndedIsNotWarnedOf() throws Exception {
    List<Integer> none =
        spark
            .parallelize(List.<Integer>of(0, 1), 2)
            .rdd()
            .barrier()
            .mapPartitions(new Idle(), false, ClassTag$.MODULE$.<Integer>apply(Integer.class))
            .toJavaRDD()
            .collect();

    join();

    assertThat(none).hasSize(2);
    assertThat(WARNINGS).isEmpty();
  }

  /** A barrier task that joins no group. */
  private static final class Idle extends AbstractFunction1<Iterator<Integer>, Iterator<Integer>>
      implements Serializable {
    private static final long serialVersionUID = 1;

    @Override
    public Iterator<Integer> apply(Iterator<Integer> ranks) {
      return ranks;
    }
  }
}
