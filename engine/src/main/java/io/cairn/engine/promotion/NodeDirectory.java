package io.cairn.engine.promotion;

import io.cairn.GroupId;
import io.cairn.flush.commit.GroupBirth;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.commit.StoreIdentity;
import io.cairn.flush.format.FormatException;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.LocalStore;
import io.cairn.flush.store.StoreOutput;
import io.cairn.internal.PathSegment;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory in which a node keeps the checkpoints of one STORE. Its name is the identity of
 * that store, so that copies of another store, or of this one before it was wiped, are not read:
 * their epochs are numbered independently. The identity is read once, when it is first needed. From
 * the first opening to {@link #close} this process {@linkplain UseLock uses} the directory.
 * Thread-safe.
 */
public final class NodeDirectory implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeDirectory.class);

  /** The file of a directory with the places of its store, one a line. */
  private static final String PLACE = "store-place";

  private final Path configured;
  private final CheckpointStore store;
  private final boolean hasFiles;
  private volatile @Nullable String name;
  private @Nullable UseLock lock; // guarded by this
  private boolean lacksLock; // guarded by this

  /**
   * The directory for a store.
   *
   * @param configured the parent of all these directories, which may vanish at any time
   */
  public NodeDirectory(Path configured, CheckpointStore store) {
    this(configured, store, true);
  }

  private NodeDirectory(Path configured, CheckpointStore store, boolean hasFiles) {
    this.configured = configured;
    this.store = store;
    this.hasFiles = hasFiles;
  }

  /** The name alone of a simulated node, whose files lie in a store that the caller makes up. */
  public static NodeDirectory simulated(Path configured, CheckpointStore store) {
    return new NodeDirectory(configured, store, false);
  }

  /**
   * The same directory, for a process with another access to the same store.
   *
   * @throws IllegalStateException if the name of the store is not known yet
   */
  public NodeDirectory seenAs(CheckpointStore access) {
    String known = name;
    if (known == null) {
      throw new IllegalStateException("the name of " + store.describe() + " is not known yet");
    }
    NodeDirectory seen = new NodeDirectory(configured, access, hasFiles);
    seen.name = known;
    return seen;
  }

  /** Whether the node's files lie there; false in a simulation. */
  boolean hasFiles() {
    return hasFiles;
  }

  /**
   * The path itself.
   *
   * @throws IOException if the identity of the store is not known yet, and cannot be read
   */
  public Path path() throws IOException {
    return configured.resolve(identity());
  }

  /**
   * The identity of the store, which names the directory.
   *
   * @throws IOException if it is not known yet, and cannot be read
   */
  public String identity() throws IOException {
    String known = name;
    if (known == null) {
      known = find(); // the same for concurrent callers
      name = known;
    }
    return known;
  }

  private String find() throws IOException {
    String known;
    try {
      known = StoreIdentity.known(store);
    } catch (NoSuchFileException | FormatException e) {
      return named(e);
    }
    requireNoOther(known);
    return known;
  }

  /** Names a store whose name is absent or damaged. */
  private String named(IOException lack) throws IOException {
    Optional<String> known = StoreIdentity.lost(store);
    if (known.isEmpty()) {
      known = named();
    }
    if (known.isPresent()) {
      requireNoOther(known.get());
      LOG.warn("{} had lost its name, and is {} again", store.describe(), known.get(), lack);
      return StoreIdentity.give(store, known.get());
    }
    String fresh = StoreIdentity.fresh(store, lack);
    requireUnknown(configured, spellings());
    LOG.warn("{} is empty, and becomes a store: checkpoints begin anew", store.describe());
    return StoreIdentity.give(store, fresh);
  }

  /**
   * The name under which this node has copies of a store at this place, and of a group whose birth
   * the store has. A copy of the store has the same births, and another place.
   */
  private Optional<String> named() throws IOException {
    List<String> named = new ArrayList<>();
    for (String id : known(configured, spellings())) {
      if (hasLifeOf(id)) {
        named.add(id);
      }
    }
    if (named.size() > 1) {
      throw new IOException(
          "%s/%s is lost or damaged, and this node has copies of it as %s in %s: write the right name into that file, or delete the other directories"
              .formatted(store.describe(), StoreIdentity.FILE, named, configured));
    }
    return named.stream().findFirst();
  }

  private boolean hasLifeOf(String id) throws IOException {
    try (CheckpointStore copies = LocalStore.openForReading(configured.resolve(id))) {
      for (String job : Inventory.jobs(copies)) {
        for (GroupId group : Inventory.groups(copies, job)) {
          if (hasLifeOf(copies, group)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private boolean hasLifeOf(CheckpointStore copies, GroupId group) throws IOException {
    try {
      Optional<String> birth = GroupBirth.find(store, group);
      return birth.isPresent() && !copies.list(StoreNames.life(group, birth.get())).isEmpty();
    } catch (FormatException e) {
      return false; // a damaged birth names nothing
    }
  }

  /**
   * Requires that no store at a place is known here. A directory that lost its store, for instance
   * since its file system is not mounted, would pass for a new one, and training would begin anew.
   *
   * @param configured the directory of this node
   * @param spellings of the place; the first as the store describes itself
   * @throws IOException naming both, and the remedy
   */
  private static void requireUnknown(Path configured, List<String> spellings) throws IOException {
    requireNone(configured, spellings.get(0), known(configured, spellings), "has nothing");
  }

  private List<String> spellings() {
    return CheckpointStores.spellings(store.describe());
  }

  /** As below a missing mount where a training once began: a name alone proves no store. */
  private void requireNoOther(String id) throws IOException {
    String place = store.describe();
    List<String> others;
    try {
      others = new ArrayList<>(known(configured, spellings()));
    } catch (IOException e) {
      LOG.warn("{} does not show which stores it knows", configured, e);
      return;
    }
    others.remove(id);
    requireNone(configured, place, others, "is " + id);
  }

  private static void requireNone(Path configured, String place, List<String> known, String state)
      throws IOException {
    if (!known.isEmpty()) {
      throw new IOException(
          ("store %s %s, but this node has copies of another store at that place, in %s: mount"
                  + " its file system. If it was emptied or replaced on purpose, delete these"
                  + " copies; if they are those of a store that was moved, delete that line of"
                  + " their %s")
              .formatted(place, state, known.stream().map(configured::resolve).toList(), PLACE));
    }
  }

  /** The names of the stores at a place of which a node has copies. */
  private static List<String> known(Path configured, List<String> spellings) throws IOException {
    List<String> known = new ArrayList<>();
    for (String id : stores(configured)) {
      if (!Collections.disjoint(places(configured.resolve(id)), spellings)) {
        known.add(id);
      }
    }
    return known;
  }

  /**
   * The copies of stores that a node's directory has, each with the places of its store; empty for
   * any other directory, a store and its copies among them. Reads names and small files alone.
   *
   * @throws IOException if the directory, or one of these files, cannot be read
   */
  public static Map<Path, List<String>> copies(Path configured) throws IOException {
    Map<Path, List<String>> copies = new TreeMap<>();
    if (!Files.exists(configured.resolve(StoreIdentity.FILE))) {
      for (String id : stores(configured)) {
        Path directory = configured.resolve(id);
        List<String> places = places(directory);
        if (!places.isEmpty()) {
          copies.put(directory, places);
        }
      }
    }
    return copies;
  }

  private static List<String> places(Path directory) throws IOException {
    Path file = directory.resolve(PLACE);
    return Files.isRegularFile(file) ? Files.readAllLines(file) : List.of();
  }

  /**
   * Requires that the root of a local store exists, or that this node knows no store there: it
   * would be made below a missing mount.
   *
   * @throws IOException as {@link #requireUnknown} does
   */
  public static void requireMounted(Path configured, String where) throws IOException {
    Optional<Path> root = CheckpointStores.localRoot(where);
    if (root.isPresent() && !Files.exists(root.get())) {
      requireUnknown(configured, CheckpointStores.spellings(root.get().toString()));
    }
  }

  /** The names of the stores of which a node has copies. */
  private static List<String> stores(Path configured) throws IOException {
    if (!Files.isDirectory(configured)) {
      return List.of();
    }
    try (Stream<Path> children = Files.list(configured)) {
      return children
          .filter(child -> Files.isDirectory(child, LinkOption.NOFOLLOW_LINKS))
          .map(child -> child.getFileName().toString())
          .filter(PathSegment::isLegal)
          .sorted()
          .toList();
    }
  }

  /**
   * Requires that the store is still the one whose name this process knows.
   *
   * @throws IOException if it is another directory, or cannot be asked
   */
  void requireKnown() throws IOException {
    String known = name;
    if (known == null) {
      return;
    }
    String now = StoreIdentity.now(store, known);
    if (!now.equals(known)) {
      throw new IOException(
          "%s is another directory than before, %s: mount the file system of STORE again"
              .formatted(
                  store.describe(),
                  now.isEmpty() ? "without a name" : "named " + now + " and not " + known));
    }
  }

  /** Opens the directory, and makes it if it is missing. */
  public CheckpointStore open() throws IOException {
    LocalStore.open(configured, Durability.PROCESS).close();
    CheckpointStore opened = LocalStore.open(path(), Durability.PROCESS);
    hold();
    remember(opened);
    return opened;
  }

  /**
   * Notes the place of the store, by which a later process recognises that it is away. It may have
   * several: it may be moved, and links lead to it.
   */
  private void remember(CheckpointStore opened) throws IOException {
    List<String> places = new ArrayList<>(places(path()));
    List<String> fresh =
        spellings().stream().filter(spelling -> !places.contains(spelling)).toList();
    if (fresh.isEmpty()) {
      return;
    }
    places.addAll(fresh);
    String temporary = "." + PLACE + "." + UUID.randomUUID() + ".tmp";
    try (StoreOutput out = opened.create(temporary)) {
      out.write(StandardCharsets.UTF_8.encode(String.join("\n", places) + "\n"));
      out.sync();
    }
    if (!opened.replace(temporary, PLACE)) {
      throw new IOException(opened.describe() + " replaces no file");
    }
  }

  private synchronized void hold() throws IOException {
    UseLock before = lock;
    try {
      lock = UseLock.hold(path());
      lacksLock = false;
    } catch (IOException e) {
      if (!lacksLock) {
        LOG.warn("Another process of this node may take {} for unused, and delete it", path(), e);
      }
      lacksLock = true;
      return;
    }
    if (before != null) {
      before.close();
    }
  }

  /** Uses the directory from now on, if that failed when it was opened. */
  synchronized void holdAgain() throws IOException {
    if (lacksLock) {
      hold();
    }
  }

  /** Ends the use of the directory, which stays. Idempotent. */
  @Override
  public synchronized void close() throws IOException {
    lacksLock = false;
    UseLock held = lock;
    lock = null;
    if (held != null) {
      held.close();
    }
  }
}
