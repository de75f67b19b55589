package io.cairn.spark.settings;

import java.util.Locale;

/**
 * An executor's question to the driver over Spark's messages of plugins, which cost neither a port
 * nor a thread. Immutable.
 *
 * @param executor who asks
 * @param joins whether a rank joins there; else the executor asks whether one has joined anywhere
 */
public record JoinQuestion(String executor, boolean joins) {
  private static final String JOINS = "joins ";
  private static final String WAITS = "waits ";

  /** As a message: Spark reads it with a class loader that may not know Cairn's classes. */
  public String text() {
    return (joins ? JOINS : WAITS) + executor;
  }

  /**
   * The question of a message.
   *
   * @throws IllegalArgumentException if it is none
   */
  public static JoinQuestion of(Object message) {
    String text = String.valueOf(message);
    if (text.startsWith(JOINS) || text.startsWith(WAITS)) {
      return new JoinQuestion(text.substring(JOINS.length()), text.startsWith(JOINS));
    }
    throw new IllegalArgumentException(
        String.format(
            Locale.ROOT,
            "no question of an executor: '%.40s'; driver and executors need the same version",
            text));
  }
}
