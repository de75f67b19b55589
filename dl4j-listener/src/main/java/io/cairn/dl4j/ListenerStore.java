package io.cairn.dl4j;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import io.cairn.Cairn;
import io.cairn.CheckpointId;
import io.cairn.Checkpointer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store that a listener has for itself, in a directory. The training thread owns it; {@link
 * #stored} is called on any thread.
 */
final class ListenerStore implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ListenerStore.class);
  private static final String GROUP = "model";
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final Pattern STORE_ID =
      Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  private final Path directory;
  private final CheckpointOptions options;
  private final Cairn cairn;
  private final Checkpointer checkpointer;
  private boolean restoreDue;

  private ListenerStore(Path directory, CheckpointOptions options, Cairn cairn) {
    this.directory = directory;
    this.options = options;
    this.cairn = cairn;
    this.checkpointer = cairn.join(GROUP);
    this.restoreDue = !checkpointer.checkpoints().isEmpty();
  }

  /**
   * Opens the store.
   *
   * @param more settings, which replace those of the options; rules of {@code keep} join theirs
   */
  static ListenerStore open(Path directory, CheckpointOptions options, Map<String, String> more) {
    Path store = directory.resolve("store");
    Path node = directory.resolve("node");
    Map<String, String> settings = new TreeMap<>(options.settings());
    String ofOptions = settings.getOrDefault("keep", "");
    settings.put("store", store.toString());
    settings.put("node.dir", node.toString());
    settings.putAll(more);
    settings.put("keep", CheckpointOptions.rules(ofOptions, more.get("keep")));
    try {
      if (options.deleting()) {
        deleteStore(store);
        deleteNode(node);
      }
      Files.createDirectories(directory);
      return open(directory, options, Cairn.open(settings));
    } catch (IOException e) {
      throw new UncheckedIOException(directory + ": " + e.getMessage(), e);
    }
  }

  private static ListenerStore open(Path directory, CheckpointOptions options, Cairn cairn) {
    try {
      return new ListenerStore(directory, options, cairn);
    } catch (RuntimeException e) {
      cairn.close();
      throw e;
    }
  }

  /** A directory that Cairn did not make may hold anything. */
  private static void deleteStore(Path store) throws IOException {
    if (!Files.exists(store, NOFOLLOW_LINKS)) {
      return;
    }
    if (!Files.isDirectory(store, NOFOLLOW_LINKS)
        || !Files.exists(store.resolve("cairn-store-id"), NOFOLLOW_LINKS)) {
      throw new IOException(
          store + " is no store of Cairn, so deleteExisting(true) deletes nothing: move it away");
    }
    delete(store);
  }

  /** Only directories that have the name of a store. */
  private static void deleteNode(Path node) throws IOException {
    if (!Files.isDirectory(node, NOFOLLOW_LINKS)) {
      return;
    }
    List<Path> stores;
    try (Stream<Path> all = Files.list(node)) {
      stores =
          all.filter(each -> STORE_ID.matcher(String.valueOf(each.getFileName())).matches())
              .toList();
    }
    for (Path each : stores) {
      delete(each);
    }
  }

  private static void delete(Path tree) throws IOException {
    List<Path> paths;
    try (Stream<Path> walk = Files.walk(tree)) {
      paths = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : paths) {
      Files.deleteIfExists(path);
    }
  }

  Checkpointer checkpointer() {
    return checkpointer;
  }

  /** The program has asked for a restore. */
  void restored() {
    restoreDue = false;
  }

  /**
   * Requires that a program goes on from its earlier checkpoints, or has deleted them.
   *
   * @throws IllegalStateException if it does neither
   */
  void requireRestored() {
    if (restoreDue) {
      throw new IllegalStateException(
          directory
              + " has checkpoints of an earlier training: call restore(model) of the listener"
              + " before the training to go on from them, or deleteExisting(true) of its builder");
    }
  }

  /** Sends the newest checkpoint to the store if the number of completed epochs asks for it. */
  void epochDone(int epochs) {
    if (options.epochs() > 0 && epochs % options.epochs() == 0) {
      cairn.rescue(PATIENCE);
    }
  }

  /** Reports a checkpoint that the store has. */
  void stored(CheckpointId id) {
    if (options.logged()) {
      LOG.info("Checkpoint {} saved: iteration {}, in {}", id.label(), id.iteration(), directory);
    }
  }

  /** Waits for checkpoints on their way. */
  @Override
  public void close() {
    checkpointer.close();
    cairn.close();
  }
}
