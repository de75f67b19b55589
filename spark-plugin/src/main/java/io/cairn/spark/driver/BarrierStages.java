package io.cairn.spark.driver;

import io.cairn.GroupId;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.StageInfo;
import org.apache.spark.storage.RDDInfo;
import scala.collection.Iterator;

/**
 * Finds coupled groups that the loss of one executor would end: Spark runs a barrier stage again,
 * but not if it is the last stage of its job. Thread-safe.
 */
final class BarrierStages extends SparkListener {
  private final Set<Integer> last = ConcurrentHashMap.newKeySet();
  private final Consumer<String> warning;

  /** Sends each warning to this consumer. */
  BarrierStages(Consumer<String> warning) {
    this.warning = warning;
  }

  @Override
  public void onStageSubmitted(SparkListenerStageSubmitted submitted) {
    StageInfo stage = submitted.stageInfo();
    if (stage.shuffleDepId().isEmpty() && isBarrier(stage)) {
      last.add(stage.stageId());
    }
  }

  @Override
  public void onStageCompleted(SparkListenerStageCompleted completed) {
    last.remove(completed.stageInfo().stageId());
  }

  private static boolean isBarrier(StageInfo stage) {
    Iterator<RDDInfo> rdds = stage.rddInfos().iterator();
    while (rdds.hasNext()) {
      if (rdds.next().isBarrier()) {
        return true;
      }
    }
    return false;
  }

  /** A rank of a coupled group joined: warns of each such stage that runs, once per stage. */
  void joined(GroupId group) {
    for (Integer stage : Set.copyOf(last)) {
      if (last.remove(stage)) {
        warning.accept(
            "Stage "
                + stage
                + " is a barrier stage and the last one of its job, and "
                + group
                + " joins meanwhile. Spark aborts the job if such a stage loses an executor. Put a"
                + " shuffle after the barrier: .barrier().mapPartitions(...).repartition(1)");
      }
    }
  }
}
