package io.cairn.core.peer;

import java.time.Duration;

/**
 * The limits of a transport in bytes, in numbers and in time.
 *
 * @param connect time to connect, and as much to greet
 * @param answer time from sending a question to receiving its answer
 * @param push time from sending a chunk to the receiver's confirmation
 * @param windowBytes of bodies under way to one peer; a longer body is sent alone
 * @param maxWaiting questions, and pushes, that are under way to one peer or wait for it
 * @param maxConnections accepted, and as many opened
 * @param maxQuestions of peers that are unanswered at a time
 */
public record PeerLimits(
    Duration connect,
    Duration answer,
    Duration push,
    long windowBytes,
    int maxWaiting,
    int maxConnections,
    int maxQuestions) {
  /** Limits for a cluster's network. */
  public static final PeerLimits DEFAULT =
      new PeerLimits(
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ofSeconds(30),
          32L << 20,
          1024,
          2048,
          4096);

  /** Limits for the driver, which each executor reaches twice and keeps a question open at. */
  public static final PeerLimits DRIVER =
      new PeerLimits(
          DEFAULT.connect(),
          DEFAULT.answer(),
          DEFAULT.push(),
          DEFAULT.windowBytes(),
          DEFAULT.maxWaiting(),
          20_000,
          40_000);

  /** Checks the ranges: a time is 1 millisecond to 1 hour, the rest is positive. */
  public PeerLimits {
    requireTime("connect", connect);
    requireTime("answer", answer);
    requireTime("push", push);
    requirePositive("windowBytes", windowBytes);
    requirePositive("maxWaiting", maxWaiting);
    requirePositive("maxConnections", maxConnections);
    requirePositive("maxQuestions", maxQuestions);
  }

  /** The same limits with another time for answers. */
  public PeerLimits withAnswer(Duration time) {
    return new PeerLimits(
        connect, time, push, windowBytes, maxWaiting, maxConnections, maxQuestions);
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
