package io.cairn.flush.store;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;

/**
 * Opens the store that a user names: a directory, a {@code file:} URI, or the URI of any Hadoop
 * file system. Hadoop's classes are needed only for the last.
 */
public final class CheckpointStores {
  private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+:.*");

  private CheckpointStores() {}

  /** What to open with Hadoop's classes, which load only when this runs. */
  private interface HadoopOpening {
    CheckpointStore open(URI uri) throws IOException;
  }

  /**
   * Opens a store for writing, probed for what the commit needs; the caller closes it. Local stores
   * have {@link Durability#MEDIA}. Hadoop is configured by the files on the class path.
   *
   * @throws IOException naming the store, what is wrong, and what to do
   * @throws IllegalArgumentException if {@code where} is no path and no URI
   */
  public static CheckpointStore open(String where) throws IOException {
    return isLocal(where)
        ? LocalStore.open(local(where), Durability.MEDIA)
        : withHadoop(where, uri -> HadoopStore.open(uri, new Configuration()));
  }

  /** As {@link #open(String)}, with the job's own Hadoop configuration. */
  public static CheckpointStore open(String where, Configuration hadoop) throws IOException {
    return isLocal(where)
        ? LocalStore.open(local(where), Durability.MEDIA)
        : withHadoop(where, uri -> HadoopStore.open(uri, hadoop));
  }

  /**
   * Opens an existing store for reading. Nothing is written to it, so a read-only one will do; the
   * caller closes it.
   *
   * @throws IOException naming the store, if it does not exist or cannot be reached
   * @throws IllegalArgumentException if {@code where} is no path and no URI
   */
  public static CheckpointStore openForReading(String where) throws IOException {
    return isLocal(where)
        ? LocalStore.openForReading(local(where))
        : withHadoop(where, uri -> HadoopStore.openForReading(uri, new Configuration()));
  }

  private static boolean isLocal(String where) {
    return !SCHEME.matcher(where).matches() || where.regionMatches(true, 0, "file:", 0, 5);
  }

  private static Path local(String where) {
    if (where.isBlank()) {
      throw new IllegalArgumentException("the store's name is empty: use a directory or a URI");
    }
    if (!SCHEME.matcher(where).matches()) {
      return Path.of(where);
    }
    try {
      return Path.of(parse(where));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "store '" + where + "' is no local directory: " + e.getMessage(), e);
    }
  }

  private static URI parse(String where) {
    try {
      return URI.create(where);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "store '" + where + "' is not a URI: " + e.getMessage(), e);
    }
  }

  private static CheckpointStore withHadoop(String where, HadoopOpening opening)
      throws IOException {
    URI uri = parse(where);
    try {
      return opening.open(uri);
    } catch (NoClassDefFoundError e) {
      throw new IOException(
          "cannot open store "
              + where
              + ": Hadoop is not on the class path ("
              + e.getMessage()
              + "): add hadoop-client-api and hadoop-client-runtime, or use a local directory",
          e);
    }
  }
}
