package io.cairn.flush.store;

import java.io.IOException;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens the configured store: a directory, a {@code file:} URI, or the URI of any Hadoop file
 * system. Only the last needs Hadoop's classes.
 */
public final class CheckpointStores {
  private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+:.*");

  private static final Pattern USUAL_PORT = Pattern.compile("^(hdfs://[^/]+):8020(?=/|$)");

  private static final Logger LOG = LoggerFactory.getLogger(CheckpointStores.class);
  private static final String LEFT_OUT =
      "has the part '%s', which is no part of a path: leave it out, or write its first character"
          + " as %s";

  /** Elsewhere the part before the @ names a place, such as a container of Azure. */
  private static final Set<String> WITHOUT_USER =
      Set.of("hdfs", "webhdfs", "swebhdfs", "viewfs", "s3a", "gs");

  private CheckpointStores() {}

  /**
   * Requires that a text names one directory: nothing of it would be left out when it is opened.
   * Loads no class of Hadoop, and opens nothing.
   *
   * @throws IllegalArgumentException naming the text and the part of it that names no directory
   */
  public static void require(String where) {
    if (isLocal(where)) {
      local(where);
    } else {
      place(where);
    }
  }

  /** Opens a store with Hadoop's classes, which load when this runs. */
  private interface HadoopOpening {
    CheckpointStore open(URI uri) throws IOException;
  }

  /** Like {@link #open(String, Map)}, with the configuration of the class path alone. */
  public static CheckpointStore open(String where) throws IOException {
    return open(where, Map.of());
  }

  /**
   * Opens a store for writing, and probes the semantics that the commit needs; the caller closes
   * it. Local stores have {@link Durability#MEDIA}. Files on the class path configure Hadoop.
   *
   * @param own keys and values that the Hadoop configuration has for this store; none for a local
   *     directory
   * @throws IOException if the store cannot be used; names the store, the cause and the remedy
   * @throws IllegalArgumentException if {@code where} is neither a path nor a URI
   */
  public static CheckpointStore open(String where, Map<String, String> own) throws IOException {
    return isLocal(where)
        ? openLocal(where, own)
        : withHadoop(
            where, uri -> HadoopStore.open(uri, HadoopValues.with(new Configuration(), own)));
  }

  /**
   * Opens an existing store for writing; the caller closes it.
   *
   * @throws IOException as {@link #open(String, Map)}, and if the store does not exist; it is not
   *     created then
   * @throws IllegalArgumentException if {@code where} is neither a path nor a URI
   */
  public static CheckpointStore openExisting(String where, Map<String, String> own)
      throws IOException {
    openForReading(where, own).close();
    return open(where, own);
  }

  /** Like the other, with the configuration of the class path alone. */
  public static CheckpointStore openExisting(String where) throws IOException {
    return openExisting(where, Map.of());
  }

  /** Like {@link #open(String, Map)}, with the job's own Hadoop configuration. */
  public static CheckpointStore open(String where, Configuration hadoop, Map<String, String> own)
      throws IOException {
    return isLocal(where)
        ? openLocal(where, own)
        : withHadoop(where, uri -> HadoopStore.open(uri, HadoopValues.with(hadoop, own)));
  }

  /**
   * Like {@link #open(String, Configuration, Map)}, for a store that another process of the job has
   * opened and probed. Each machine probes a local directory all the same: mounts differ.
   */
  public static CheckpointStore openProbed(
      String where, Configuration hadoop, Map<String, String> own) throws IOException {
    return isLocal(where)
        ? openLocal(where, own)
        : withHadoop(where, uri -> HadoopStore.openProbed(uri, HadoopValues.with(hadoop, own)));
  }

  /**
   * Opens a store for writing that was probed when it was first used, and cannot be probed now: it
   * is full or read-only. A call that it refuses fails later.
   *
   * @throws IOException if the store does not exist or cannot be reached; names the store
   */
  public static CheckpointStore openUnprobed(String where, Map<String, String> own)
      throws IOException {
    return isLocal(where)
        ? LocalStore.openForReading(local(where))
        : withHadoop(
            where, uri -> HadoopStore.openProbed(uri, HadoopValues.with(new Configuration(), own)));
  }

  /** Like the other, with the job's own Hadoop configuration. */
  public static CheckpointStore openUnprobed(
      String where, Configuration hadoop, Map<String, String> own) throws IOException {
    return isLocal(where)
        ? LocalStore.openForReading(local(where))
        : withHadoop(where, uri -> HadoopStore.openProbed(uri, HadoopValues.with(hadoop, own)));
  }

  private static CheckpointStore openLocal(String where, Map<String, String> own)
      throws IOException {
    requireNone(where, own);
    return LocalStore.open(local(where), Durability.MEDIA);
  }

  private static void requireNone(String where, Map<String, String> own) throws IOException {
    if (!own.isEmpty()) {
      throw new StoreRefusedException(
          "store %s is a local directory, which has no use for %s: leave the keys out"
              .formatted(
                  where,
                  own.keySet().stream()
                      .sorted()
                      .map("store.hadoop."::concat)
                      .collect(Collectors.joining(", "))),
          null);
    }
  }

  /**
   * Opens an existing store for reading; the caller closes it. Writes nothing, so the store may be
   * read-only.
   *
   * @throws IOException if the store does not exist or cannot be reached; names the store
   * @throws IllegalArgumentException if {@code where} is neither a path nor a URI
   */
  public static CheckpointStore openForReading(String where, Map<String, String> own)
      throws IOException {
    if (isLocal(where)) {
      requireNone(where, own);
      return LocalStore.openForReading(local(where));
    }
    return withHadoop(
        where, uri -> HadoopStore.openForReading(uri, HadoopValues.with(new Configuration(), own)));
  }

  /** Like the other, with the configuration of the class path alone. */
  public static CheckpointStore openForReading(String where) throws IOException {
    return openForReading(where, Map.of());
  }

  /**
   * Whether the second store is the first one, or lies in it. Links are followed as far as there
   * are directories; two URIs of one Hadoop file system are compared by their text.
   *
   * @throws IllegalArgumentException if one is neither a path nor a URI
   */
  public static boolean contains(String store, String other) {
    if (isLocal(store) && isLocal(other)) {
      return real(local(other)).startsWith(real(local(store)));
    } else if (isLocal(store) || isLocal(other)) {
      return false;
    }
    URI outer = parse(store).normalize();
    URI inner = parse(other).normalize();
    return outer.getScheme().equalsIgnoreCase(inner.getScheme())
        && String.valueOf(outer.getAuthority()).equalsIgnoreCase("" + inner.getAuthority())
        && Path.of("/" + inner.getPath()).startsWith(Path.of("/" + outer.getPath()));
  }

  /** The path without links, as far as it exists. */
  private static Path real(Path path) {
    Path absolute = path.toAbsolutePath().normalize();
    for (Path above = absolute; above != null; above = above.getParent()) {
      try {
        return above.toRealPath().resolve(above.relativize(absolute));
      } catch (IOException e) {
        LOG.debug("{} is looked for above", above, e);
      }
    }
    return absolute;
  }

  /**
   * The root of a local store, as the open store describes itself; empty for a Hadoop file system.
   *
   * @throws IllegalArgumentException if {@code where} is neither a path nor a URI
   */
  public static Optional<Path> localRoot(String where) {
    return isLocal(where)
        ? Optional.of(local(where).toAbsolutePath().normalize())
        : Optional.empty();
  }

  /**
   * The spellings of a store's place by which it is known again: as it describes itself, for a
   * local one also without links, as far as there are directories, and for HDFS also without the
   * port that it has by default.
   *
   * @param described the text of {@link CheckpointStore#describe()}
   */
  public static List<String> spellings(String described) {
    String other =
        isLocal(described)
            ? real(local(described)).toString()
            : USUAL_PORT.matcher(described).replaceFirst("$1");
    return Stream.of(described, other).distinct().toList();
  }

  private static boolean isLocal(String where) {
    return !SCHEME.matcher(where).matches() || where.regionMatches(true, 0, "file:", 0, 5);
  }

  private static Path local(String where) {
    if (where.isBlank()) {
      throw new IllegalArgumentException("the store's name is empty: use a directory or a URI");
    }
    try {
      return SCHEME.matcher(where).matches() ? Path.of(parse(where)) : Path.of(where);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException(
          "store '%s' is no path here (%s): if other programs can name it, start this one with LC_ALL=C.UTF-8"
              .formatted(where, e.getReason()),
          e);
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

  /** Hadoop leaves out in silence all but scheme, authority and path. */
  private static URI place(String where) {
    URI uri = parse(where);
    if (uri.isOpaque() || String.valueOf(uri.getPath()).isEmpty()) {
      throw noPlace(where, "has no path: add one, such as %s/cairn".formatted(where));
    }
    if (uri.getRawFragment() != null) {
      throw noPlace(where, LEFT_OUT.formatted("#" + uri.getRawFragment(), "%23"));
    }
    if (uri.getRawQuery() != null) {
      throw noPlace(where, LEFT_OUT.formatted("?" + uri.getRawQuery(), "%3F"));
    }
    String user = uri.getRawUserInfo();
    if (user != null && WITHOUT_USER.contains(uri.getScheme().toLowerCase(Locale.ROOT))) {
      throw noPlace(
          where,
          "names the user '%s', and this file system takes the process's own: leave it out"
              .formatted(user));
    }
    return uri;
  }

  private static IllegalArgumentException noPlace(String where, String reason) {
    return new IllegalArgumentException("store '" + where + "' " + reason);
  }

  private static CheckpointStore withHadoop(String where, HadoopOpening opening)
      throws IOException {
    URI uri = place(where);
    try {
      return opening.open(uri);
    } catch (NoClassDefFoundError e) {
      throw MissingClass.refusal(where, e).orElseThrow();
    } catch (RuntimeException e) {
      // Hadoop wraps the missing class of a file system that it knows by name
      Optional<IOException> missing = MissingClass.refusal(where, e);
      if (missing.isPresent()) {
        throw missing.get();
      }
      throw e;
    }
  }
}
