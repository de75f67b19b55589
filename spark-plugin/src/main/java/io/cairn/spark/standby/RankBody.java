package io.cairn.spark.standby;

import java.io.Serializable;

/**
 * The training of one rank, as tasks of {@link CairnStandby#map} run it. Spark serialises it with
 * each task; a task calls it on its own thread.
 *
 * @param <R> the result of a rank, which Spark can serialise
 */
@FunctionalInterface
public interface RankBody<R> extends Serializable {
  /**
   * Joins the rank's group, restores, trains to the end and returns the result. A task that waited
   * calls it when it takes the rank of a lost executor over, so it may run several times for a
   * rank, also while an earlier call has not noticed yet that it is fenced.
   *
   * @param rank 0 to the number of ranks − 1
   * @throws Exception if the training failed or was fenced, so that there is no result. Spark then
   *     starts the task again, unless another task trains the rank
   */
  R train(int rank) throws Exception;

  /**
   * Loads and builds what a training needs, in a task that found no rank, before it waits. Such as
   * the native libraries, and the model if the body keeps it in a field. By default nothing.
   *
   * @throws Exception if that fails, which fails the task
   */
  default void warm() throws Exception {}
}
