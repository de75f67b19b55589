package io.cairn.spark.ranks;

import java.util.Optional;

/** Where a rank of a stage stands. */
sealed interface RankState {
  /**
   * No task trains it.
   *
   * @param before the seat whose executor was lost, which may still turn out to live
   */
  record Open(Optional<Seat> before) implements RankState {
    static final Open NEW = new Open(Optional.empty());
  }

  /** A task trains it. */
  record Trained(Seat seat) implements RankState {}

  /** A task has its result, and is about to deliver it to Spark. */
  record Done(Seat seat) implements RankState {}

  /** Spark has its result. */
  record Delivered(Seat seat) implements RankState {}
}
