package io.cairn.flush.store;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Explains why a location cannot serve as a store: an error that its user can repair, or a missing
 * semantic. Recognises errors by exception names and by messages of the kernel and of HDFS, and
 * loads no Hadoop class.
 */
final class StoreRefusal {
  private static final String INSTEAD =
      "use a local directory on a file system with hard links (ext4, xfs, tmpfs), HDFS, or an"
          + " object store whose puts can be conditional (S3A of Hadoop 3.4.2 or later)";

  /**
   * A text in the class name or message of an exception, and its meaning.
   *
   * @param lasts whether the same store may serve later
   */
  private record Symptom(String text, String meaning, Lasts lasts) {
    Symptom(String text, String meaning) {
      this(text, meaning, Lasts.PASSES);
    }
  }

  /** Whether an error passes by itself. */
  private enum Lasts {
    /** A later try may succeed. */
    PASSES,

    /** A start fails, and a process that runs tries again: a mount may come back. */
    UNKNOWN,

    /** Each later try fails, too. */
    LASTS
  }

  private static final List<Symptom> SYMPTOMS =
      List.of(
          new Symptom("Read-only file system", "is read-only: mount it writable"),
          new Symptom("SafeModeException", "is read-only as long as its NameNode is in safe mode"),
          new Symptom("No space left on device", "is full: free some space"),
          new Symptom("could only be written to 0 of", "is full, or all its DataNodes are down"),
          new Symptom("quota", "is over its quota"),
          new Symptom("Quota", "is over its quota"),
          new Symptom("AccessDenied", "denies access to this user", Lasts.LASTS),
          new Symptom("AccessControl", "denies access to this user", Lasts.LASTS),
          new Symptom("NotDirectory", "is not a directory", Lasts.LASTS),
          new Symptom(
              "No FileSystem for scheme",
              "has a scheme that no Hadoop file system on the class path serves: add its jar",
              Lasts.LASTS),
          new Symptom(
              "ConnectException", "cannot be reached: is it running, is the address right?"),
          new Symptom("UnknownHost", "cannot be reached: its host is unknown"),
          new Symptom("SocketTimeout", "cannot be reached: it did not answer in time"),
          new Symptom("ConnectTimeout", "cannot be reached: it did not answer in time"),
          new Symptom("Connection reset", "cannot be reached: it ended the connection"),
          new Symptom("StandbyException", "has no active NameNode: each is on standby"),
          new Symptom("RetriableException", "is not ready yet"),
          new Symptom("NoRouteToHost", "cannot be reached"),
          new Symptom("is gone", "was removed", Lasts.UNKNOWN));

  private StoreRefusal() {}

  /**
   * The refusal of a store because of an error.
   *
   * @param semantic the semantic that was probed when the error occurred
   */
  static IOException refusal(String store, String semantic, Throwable cause) {
    return symptom(cause)
        .map(
            symptom -> {
              String refusal =
                  "cannot use store %s: it %s (%s)"
                      .formatted(store, symptom.meaning(), StoreErrors.reason(cause));
              return of(symptom.lasts(), refusal, cause);
            })
        .orElseGet(() -> lacks(store, semantic, StoreErrors.reason(cause), cause));
  }

  private static IOException of(Lasts lasts, String refusal, Throwable cause) {
    String another = refusal + ", or choose another store";
    return switch (lasts) {
      case PASSES ->
          new StoreUnavailableException(
              refusal + ". Checkpoints that are there are in no other store", cause);
      case UNKNOWN -> new IOException(another, cause);
      case LASTS -> new StoreRefusedException(another, cause);
    };
  }

  /** The refusal of a store that violates a semantic. */
  static IOException lacks(String store, String semantic, String seen) {
    return lacks(store, semantic, seen, null);
  }

  private static IOException lacks(
      String store, String semantic, String seen, @Nullable Throwable cause) {
    String refusal =
        "cannot use store " + store + ": it lacks " + semantic + " (" + seen + "); " + INSTEAD;
    // an I/O error that nobody knows may pass
    return cause instanceof IOException
        ? new IOException(refusal, cause)
        : new StoreRefusedException(refusal, cause);
  }

  private static Optional<Symptom> symptom(Throwable error) {
    for (Throwable at = error; at != null; at = at.getCause()) {
      String text = at.toString();
      for (Symptom symptom : SYMPTOMS) {
        if (text.contains(symptom.text())) {
          return Optional.of(symptom);
        }
      }
    }
    return Optional.empty();
  }
}
