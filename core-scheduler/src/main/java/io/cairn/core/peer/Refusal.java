package io.cairn.core.peer;

import java.util.concurrent.CompletionException;

/** The part of an exception that is sent to a peer: one line. */
public final class Refusal {
  private Refusal() {}

  /** One line that says why. */
  public static String of(Throwable thrown) {
    Throwable cause =
        thrown instanceof CompletionException && thrown.getCause() != null
            ? thrown.getCause()
            : thrown;
    String message = cause.getMessage();
    return message == null || message.isBlank()
        ? cause.getClass().getSimpleName()
        : message.lines().findFirst().orElse(message);
  }
}
