package io.cairn.spark.standby;

import io.cairn.spark.hosts.CairnHosts;
import io.cairn.spark.ranks.StandbyDesk;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/**
 * Runs ranks as tasks of one stage, with {@code spark.cairn.standby} tasks more than ranks. Those
 * wait on other executors, and one of them takes a rank over within a second when the rank's
 * executor is lost. The task that Spark starts in place of the lost one is the next standby.
 *
 * <pre>{@code
 * List<String> results = CairnStandby.map(spark, 4, rank -> train(rank));
 * }</pre>
 *
 * <p>A task needs a slot, so that each executor beyond those of the ranks holds a standby. Without
 * the setting, or without free slots, a lost rank waits for Spark's own retry.
 */
public final class CairnStandby {
  private CairnStandby() {}

  /**
   * Trains ranks 0 to {@code ranks} − 1, and waits until each has a result.
   *
   * @see #map(JavaSparkContext, List, RankBody)
   */
  public static <R> List<R> map(JavaSparkContext spark, int ranks, RankBody<R> body) {
    return map(spark, Collections.nCopies(Math.max(0, ranks), ""), body);
  }

  /**
   * Trains one rank for each host, and waits until each has a result. The first task of a rank runs
   * on its host, if Spark finds a slot there.
   *
   * @param hosts as of {@link CairnHosts#of(String, int)}; an empty name is any host
   * @return the results by rank, each from exactly one task
   * @throws IllegalStateException outside of a driver with the plugin, or with {@code
   *     spark.speculation}: of two attempts at one task, Spark would take the one without a result
   * @throws IllegalArgumentException if there is no rank
   */
  public static <R> List<R> map(JavaSparkContext spark, List<String> hosts, RankBody<R> body) {
    int ranks = hosts.size();
    if (ranks < 1) {
      throw new IllegalArgumentException("a stage of " + ranks + " ranks: at least 1");
    }
    if (spark.getConf().getBoolean("spark.speculation", false)) {
      throw new IllegalStateException(
          "CairnStandby runs each task once: set spark.speculation to false; a slow rank is no"
              + " lost one");
    }
    StandbyDesk desk = StandbyDesk.current();
    List<String> preferred = new ArrayList<>(hosts);
    preferred.addAll(Collections.nCopies(desk.standbys(), ""));
    String run = desk.begin(ranks);
    try {
      JavaRDD<Tuple2<Integer, R>> tasks =
          CairnHosts.ranks(spark, preferred)
              .flatMap(partition -> StandbyTask.of(run, partition, body).call().iterator());
      desk.runs(run, tasks.id());
      return inOrder(ranks, tasks.collect());
    } finally {
      desk.end(run);
    }
  }

  private static <R> List<R> inOrder(int ranks, List<Tuple2<Integer, R>> delivered) {
    Map<Integer, R> results = new TreeMap<>();
    delivered.forEach(result -> results.put(result._1(), result._2()));
    if (results.size() != ranks || delivered.size() != ranks) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "%d ranks have %d results, of the ranks %s; this is a bug",
              ranks,
              delivered.size(),
              results.keySet()));
    }
    return new ArrayList<>(results.values());
  }
}
