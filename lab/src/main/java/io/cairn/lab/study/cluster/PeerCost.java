package io.cairn.lab.study.cluster;

import java.util.Locale;

/**
 * The time that one thread has spent on questions to other nodes so far, and its causes.
 *
 * @param waitedNanos for answers
 * @param answeredNanos of the answers that its process received
 * @param stoppedNanos in which its process was stopped
 * @param silentPeers that have left a question of its process unanswered
 * @param askedAgain questions of its process to peers that were silent before
 */
record PeerCost(
    long waitedNanos, long answeredNanos, long stoppedNanos, int silentPeers, int askedAgain) {
  /** One wait when it is asked, and one if it falls silent while it is read. */
  static final long MOST_PER_PEER_NANOS = 2 * PeerNetwork.PATIENCE_NANOS;

  private static final long MILLI = 1_000_000;

  /** A survey asks a peer that was silent with a short patience. */
  static final long MOST_PER_QUESTION_NANOS = 500 * MILLI;

  /**
   * Requires that silent peers have cost no more than they may since a moment. One that was silent
   * before may cost something again after a minute.
   *
   * @throws ViolationException naming the cost, if they have
   */
  void requireBounded(PeerCost before, String what) {
    long cost = waitedNanos - before.waitedNanos;
    long permitted =
        answeredNanos
            - before.answeredNanos
            + stoppedNanos
            - before.stoppedNanos
            + MOST_PER_PEER_NANOS * (1 + silentPeers - before.silentPeers)
            + MOST_PER_QUESTION_NANOS * (askedAgain - before.askedAgain);
    TrueHistory.require(
        cost <= permitted,
        String.format(
            Locale.ROOT,
            "%s waits %d ms for other nodes, and %d are permitted",
            what,
            cost / MILLI,
            permitted / MILLI));
  }
}
