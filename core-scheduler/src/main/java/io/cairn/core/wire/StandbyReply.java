package io.cairn.core.wire;

import java.util.List;

/** The answer of the desk of standbys to a {@link StandbyRequest}. Immutable. */
public sealed interface StandbyReply extends Message {
  /**
   * Answers {@link StandbyRequest.Alive}.
   *
   * @param replaced tasks of the request whose rank another task trains now
   */
  record Replaced(List<Long> replaced) implements StandbyReply {
    /** Copies the list. */
    public Replaced {
      replaced = List.copyOf(replaced);
    }
  }

  /**
   * Train this rank.
   *
   * @param term counts the tasks that were given the rank
   */
  record Train(int rank, long term) implements StandbyReply {}

  /** There is no rank to train now: ask again. */
  record Wait() implements StandbyReply {}

  /** Every rank has a result: end. */
  record End() implements StandbyReply {}

  /**
   * Answers {@link StandbyRequest.Done}.
   *
   * @param counts whether the task delivers the rank's result; otherwise another task does
   */
  record Counted(boolean counts) implements StandbyReply {}
}
