package io.cairn.core.wire;

import java.util.List;

/**
 * A message from an executor with tasks that train ranks, or wait to take one over, to the desk of
 * standbys in the driver. Each is answered by a {@link StandbyReply}. Immutable.
 */
public sealed interface StandbyRequest extends Message {
  /** The executor that asks. */
  String executor();

  /**
   * The executor lives. The desk answers when a task of the list has lost its rank, or at the
   * executor's next sign. The end of the connection before that is the executor's end.
   *
   * @param number rises with each sign of the executor
   * @param tasks of the executor that train or wait
   */
  record Alive(String executor, long number, List<Long> tasks) implements StandbyRequest {
    /** Copies the list. */
    public Alive {
      tasks = List.copyOf(tasks);
    }
  }

  /**
   * A task asks for a rank.
   *
   * @param machine of the executor
   * @param run names one stage of ranks
   * @param partition of the task in that stage
   * @param task the number of this attempt in its application
   * @param ready whether the task waits from now on; the desk then answers when there is a rank, or
   *     at the task's next request
   */
  record Ask(String executor, String machine, String run, int partition, long task, boolean ready)
      implements StandbyRequest {}

  /**
   * A task has the result of a rank.
   *
   * @param term of the rank, from {@link StandbyReply.Train}
   */
  record Done(String executor, String run, long task, int rank, long term)
      implements StandbyRequest {}
}
