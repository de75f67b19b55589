package io.cairn.flush.store;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tells why a place refuses to serve as a store: something its user can repair, or a semantic that
 * it does not have. Known by the names of exceptions and the texts of the kernel and of HDFS; no
 * Hadoop class is touched.
 */
final class StoreRefusal {
  private static final String INSTEAD =
      "use a local directory on a file system with hard links (ext4, xfs, tmpfs), or HDFS";

  /** A text in the class name or message of an exception, and what it means. */
  private record Sign(String text, String meaning) {}

  private static final List<Sign> SIGNS =
      List.of(
          new Sign("Read-only file system", "is read-only: mount it writable"),
          new Sign("SafeModeException", "is read-only as long as its NameNode is in safe mode"),
          new Sign("No space left on device", "is full: free some space"),
          new Sign("could only be written to 0 of", "is full, or all its DataNodes are down"),
          new Sign("quota", "is over its quota"),
          new Sign("Quota", "is over its quota"),
          new Sign("AccessDenied", "denies access to this user"),
          new Sign("AccessControl", "denies access to this user"),
          new Sign("NotDirectory", "is not a directory"),
          new Sign("No FileSystem for scheme", "has a scheme that no Hadoop file system serves"),
          new Sign("ConnectException", "cannot be reached: is it running, is the address right?"),
          new Sign("UnknownHost", "cannot be reached: its host is unknown"),
          new Sign("SocketTimeout", "cannot be reached: it did not answer in time"),
          new Sign("NoRouteToHost", "cannot be reached"),
          new Sign("is gone", "was removed"));

  private StoreRefusal() {}

  /**
   * The refusal of a store because of an error.
   *
   * @param semantic what was tried when it came
   */
  static IOException refusal(String store, String semantic, Throwable cause) {
    return meaning(cause)
        .map(
            meaning ->
                new IOException(
                    "cannot use store "
                        + store
                        + ": it "
                        + meaning
                        + " ("
                        + StoreErrors.reason(cause)
                        + "), or choose another store",
                    cause))
        .orElseGet(() -> lacks(store, semantic, StoreErrors.reason(cause), cause));
  }

  /** The refusal of a store that did something else than the commit needs. */
  static IOException lacks(String store, String semantic, String seen) {
    return lacks(store, semantic, seen, null);
  }

  private static IOException lacks(
      String store, String semantic, String seen, @Nullable Throwable cause) {
    return new IOException(
        "cannot use store " + store + ": it lacks " + semantic + " (" + seen + "); " + INSTEAD,
        cause);
  }

  private static Optional<String> meaning(Throwable error) {
    for (Throwable at = error; at != null; at = at.getCause()) {
      String text = at.toString();
      for (Sign sign : SIGNS) {
        if (text.contains(sign.text())) {
          return Optional.of(sign.meaning());
        }
      }
    }
    return Optional.empty();
  }
}
