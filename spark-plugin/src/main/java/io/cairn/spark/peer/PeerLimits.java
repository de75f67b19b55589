package io.cairn.spark.peer;

import java.time.Duration;

/**
 * How much a transport takes on, and how long it waits.
 *
 * @param connect for a connection to come about, and for each step of its authentication; a
 *     connection that was let in and says nothing authentic for as long is closed
 * @param answer from when a question is written until its answer is here
 * @param push from when a chunk is written until its receiver has taken it whole
 * @param windowBytes of bodies under way to one peer; a single longer body goes alone
 * @param maxWaiting questions, and pushes, that are under way to one peer or wait for it
 * @param maxConnections that are let in, and as many that are opened
 * @param maxQuestions of others that may be without an answer at a time
 * @param threads that carry what comes in, and as many for what goes out
 */
public record PeerLimits(
    Duration connect,
    Duration answer,
    Duration push,
    long windowBytes,
    int maxWaiting,
    int maxConnections,
    int maxQuestions,
    int threads) {
  /** For a cluster's network. */
  public static final PeerLimits DEFAULT =
      new PeerLimits(
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ofSeconds(30),
          32L << 20,
          1024,
          2048,
          4096,
          2);

  /** Refuses what is not positive; times are at least a millisecond and at most an hour. */
  public PeerLimits {
    requireTime("connect", connect);
    requireTime("answer", answer);
    requireTime("push", push);
    requirePositive("windowBytes", windowBytes);
    requirePositive("maxWaiting", maxWaiting);
    requirePositive("maxConnections", maxConnections);
    requirePositive("maxQuestions", maxQuestions);
    requirePositive("threads", threads);
  }

  /**
   * The same, with no time longer than {@code limit}: where the cluster's own patience ({@code
   * spark.network.timeout}) is shorter, so is this.
   */
  public PeerLimits within(Duration limit) {
    return new PeerLimits(
        shorter(connect, limit),
        shorter(answer, limit),
        shorter(push, limit),
        windowBytes,
        maxWaiting,
        maxConnections,
        maxQuestions,
        threads);
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) <= 0 ? a : b;
  }

  private static void requireTime(String name, Duration time) {
    if (time.toMillis() < 1 || time.compareTo(Duration.ofHours(1)) > 0) {
      throw new IllegalArgumentException(
          "peer limit " + name + " is " + time + ": 1 millisecond to 1 hour");
    }
  }

  private static void requirePositive(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException("peer limit " + name + " is " + value + ": at least 1");
    }
  }
}
