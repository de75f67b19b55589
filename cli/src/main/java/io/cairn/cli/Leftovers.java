package io.cairn.cli;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import io.cairn.engine.config.OwnDirectories;
import io.cairn.engine.promotion.NodeCleaning;
import io.cairn.engine.promotion.Uptime;
import io.cairn.engine.promotion.UseLock;
import io.cairn.flush.format.StoreNames;
import io.cairn.internal.PathSegment;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds and deletes the files of this machine that no process of Cairn uses any more. Each of them,
 * and each directory on the way, belongs to this user alone, has a name that Cairn gives, and is no
 * link. A running process holds the lock of its arena, and of its node directory. Not thread-safe.
 */
final class Leftovers {
  private static final Pattern ARENA = Pattern.compile("[0-9a-f-]{36}\\.arena");

  private static final String USED = "a process uses it";

  /** Below a store's directory: a job, a group, one of its births. */
  private static final int BIRTH_DEPTH = 3;

  private final UserPrincipal self;
  private final Instant now;
  private final Uptime uptime;
  private final boolean notes;
  private final List<Leftover> found = new ArrayList<>();
  private final List<Kept> kept = new ArrayList<>();

  /**
   * Nothing is found yet.
   *
   * @param now the time by the clock of the files, for arenas
   * @param uptime the time of the machine, for directories of nodes
   * @param notes whether each look at those is noted, so that their time counts from it; otherwise
   *     nothing is written
   * @throws IOException if the system does not tell who this user is
   */
  Leftovers(Instant now, Uptime uptime, boolean notes) throws IOException {
    this.self = OwnDirectories.self();
    this.now = now;
    this.uptime = uptime;
    this.notes = notes;
  }

  /**
   * Something that may be deleted.
   *
   * @param kind {@code arena} or {@code node}
   * @param bytes of all its files
   * @param idle since an arena was written, or the groups of a node's directory changed
   * @param why nobody needs it
   */
  record Leftover(String kind, Path path, long bytes, Duration idle, String why) {}

  /**
   * Something that stays, although it lies where leftovers do.
   *
   * @param why it stays
   */
  record Kept(Path path, String why) {}

  /** All that may be deleted. */
  List<Leftover> found() {
    return found.stream().distinct().toList();
  }

  /** All that stays. */
  List<Kept> kept() {
    return kept.stream().distinct().toList();
  }

  /**
   * Looks for arenas whose owner is dead.
   *
   * @param device the directory of devices; may be missing
   */
  void arenas(Path device) throws IOException {
    Path arenas = device.resolve("arenas");
    if (!areOwn(device, arenas)) {
      return;
    }
    for (Path file : children(arenas)) {
      try {
        arena(file);
      } catch (NoSuchFileException e) {
        // its process deleted it
      }
    }
  }

  private void arena(Path file) throws IOException {
    Optional<String> problem = problem(file);
    if (problem.isEmpty() && !isArena(file)) {
      problem = Optional.of("is no arena by its name");
    }
    if (problem.isPresent()) {
      kept.add(new Kept(file, problem.get()));
    } else if (ownerIsDead(file)) {
      Instant written = Files.getLastModifiedTime(file, NOFOLLOW_LINKS).toInstant();
      Duration idle = Duration.between(written, now);
      found.add(new Leftover("arena", file, bytes(file), idle, "its process is dead"));
    }
  }

  /**
   * Looks for directories of stores that no process has written to for a time. The time of the
   * machine between looks counts, which no step of its clock changes. With a time of zero, those
   * that nobody has looked at before are found, too.
   *
   * @param node the directory of nodes; may be missing
   */
  void nodes(Path node, Duration idle) throws IOException {
    if (!areOwn(node)) {
      return;
    }
    for (Path store : children(node)) {
      try {
        node(store, idle);
      } catch (NoSuchFileException e) {
        // another process deleted it
      }
    }
  }

  private void node(Path store, Duration idle) throws IOException {
    Optional<String> problem = nodeProblem(store);
    if (problem.isPresent()) {
      kept.add(new Kept(store, problem.get()));
      return;
    }
    Optional<Duration> rest = NodeCleaning.rest(store, uptime, notes);
    Duration rested = rest.orElse(Duration.ZERO);
    if (rested.compareTo(idle) >= 0) {
      String age = rest.isPresent() ? "" : ", and its age is unknown";
      found.add(new Leftover("node", store, bytes(store), rested, "no process uses it" + age));
    } else if (rest.isEmpty()) {
      kept.add(
          new Kept(
              store,
              "is of unknown age, which counts from "
                  + (notes ? "now on" : "the next training or gc --delete that looks at it")
                  + "; --idle-days 0 takes it at any age"));
    }
  }

  /** Whether directories exist and are this user's; one that is another's is reported. */
  boolean areOwn(Path... directories) throws IOException {
    for (Path directory : directories) {
      if (Files.notExists(directory, NOFOLLOW_LINKS)) {
        return false;
      }
      Optional<String> problem = problem(directory);
      if (problem.isEmpty() && !Files.isDirectory(directory, NOFOLLOW_LINKS)) {
        problem = Optional.of("is no directory");
      }
      if (problem.isPresent()) {
        kept.add(new Kept(directory, problem.get() + ", so nothing below it is looked at"));
        return false;
      }
    }
    return true;
  }

  /** The reason why a file or directory is not this user's alone; empty if it is. */
  private Optional<String> problem(Path path) throws IOException {
    PosixFileAttributes is = Files.readAttributes(path, PosixFileAttributes.class, NOFOLLOW_LINKS);
    if (is.isSymbolicLink()) {
      return Optional.of("is a link: name the directory that it leads to");
    } else if (!is.owner().equals(self)) {
      return Optional.of("belongs to " + is.owner().getName() + ", not to " + self.getName());
    } else if (is.permissions().contains(PosixFilePermission.OTHERS_WRITE)) {
      return Optional.of("can be written by every user");
    } else if (is.isOther()) {
      return Optional.of("is neither a file nor a directory");
    }
    return Optional.empty();
  }

  private static boolean isArena(Path file) {
    return ARENA.matcher(name(file)).matches() && Files.isRegularFile(file, NOFOLLOW_LINKS);
  }

  private static String name(Path path) {
    return String.valueOf(path.getFileName());
  }

  /** The reason why a tree is not the copies of a store at NODE, or is used; empty if neither. */
  private Optional<String> nodeProblem(Path store) throws IOException {
    Optional<String> own = problem(store);
    if (own.isPresent()) {
      return own;
    } else if (!StoreNames.isBirth(name(store)) || !Files.isDirectory(store, NOFOLLOW_LINKS)) {
      return Optional.of("has no name of a store");
    }
    // first, since the files of a process that uses it come and go
    return isFree(store) ? problemBelow(store, 1) : Optional.of(USED);
  }

  private boolean isFree(Path store) throws IOException {
    boolean free = isUnlocked(store);
    for (Path job : children(store)) {
      for (Path group : children(job)) {
        free &= !Files.isDirectory(group, NOFOLLOW_LINKS) || isUnlocked(group);
      }
    }
    return free;
  }

  private boolean isUnlocked(Path directory) throws IOException {
    try {
      // the walk below names what is another user's
      return problemIfThere(directory.resolve(StoreNames.IN_USE)).isPresent()
          || UseLock.isFree(directory);
    } catch (NoSuchFileException e) {
      return true;
    }
  }

  /** Another process may delete a file while this one walks. */
  private Optional<String> problemIfThere(Path path) throws IOException {
    try {
      return problem(path);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private Optional<String> problemBelow(Path directory, int depth) throws IOException {
    for (Path each : children(directory)) {
      Optional<String> problem = problemIfThere(each);
      boolean isDirectory = Files.isDirectory(each, NOFOLLOW_LINKS);
      if (problem.isEmpty() && isDirectory && !isNameAt(depth, name(each))) {
        problem = Optional.of("is no directory that Cairn makes");
      } else if (problem.isEmpty() && isDirectory) {
        Optional<String> below = problemBelow(each, depth + 1);
        if (below.isPresent()) {
          return below;
        }
      }
      if (problem.isPresent()) {
        return Optional.of(each + " " + problem.get());
      }
    }
    return Optional.empty();
  }

  private static boolean isNameAt(int depth, String name) {
    return depth < BIRTH_DEPTH
        ? PathSegment.isLegal(name)
        : depth > BIRTH_DEPTH || StoreNames.isBirth(name);
  }

  /**
   * Deletes it, if nobody uses it by now; otherwise it is {@link #kept}. Follows no link.
   *
   * @return whether it is gone
   */
  boolean delete(Leftover leftover) throws IOException {
    Path path = leftover.path();
    Optional<String> problem =
        leftover.kind().equals("arena") ? deleteArena(path) : deleteNode(path);
    problem.ifPresent(why -> kept.add(new Kept(path, why)));
    return problem.isEmpty();
  }

  /** Deletes the copies of a store; the reason if they stay. */
  private Optional<String> deleteNode(Path store) throws IOException {
    Optional<String> problem = nodeProblem(store);
    if (problem.isPresent()) {
      return problem;
    }
    Optional<UseLock> claimed = UseLock.claim(store);
    if (claimed.isEmpty()) {
      return Optional.of(USED);
    }
    UseLock lock = claimed.get();
    try {
      Files.walkFileTree(store, new Deletion());
    } finally {
      lock.close();
    }
    return Optional.empty();
  }

  /** Under the lock, so that no process becomes its owner meanwhile; the reason if it stays. */
  private static Optional<String> deleteArena(Path arena) throws IOException {
    try (FileChannel channel = FileChannel.open(arena, StandardOpenOption.READ, NOFOLLOW_LINKS);
        FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true)) {
      if (lock == null) {
        return Optional.of(USED);
      }
      Files.deleteIfExists(arena);
      return Optional.empty();
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (OverlappingFileLockException e) {
      return Optional.of(USED); // by this process
    }
  }

  private static List<Path> children(Path directory) throws IOException {
    if (!Files.isDirectory(directory, NOFOLLOW_LINKS)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    } catch (NoSuchFileException e) {
      return List.of(); // deleted meanwhile
    }
  }

  /** Whether no process holds the lock that an arena's owner keeps for its life. */
  private static boolean ownerIsDead(Path arena) throws IOException {
    try (FileChannel channel = FileChannel.open(arena, StandardOpenOption.READ, NOFOLLOW_LINKS);
        FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true)) {
      return lock != null;
    } catch (OverlappingFileLockException e) {
      return false;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  private static long bytes(Path path) throws IOException {
    Size size = new Size();
    Files.walkFileTree(path, size);
    return size.bytes;
  }

  private static class Below extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
      if (e instanceof NoSuchFileException) {
        return FileVisitResult.CONTINUE;
      }
      throw e;
    }
  }

  private static final class Size extends Below {
    private long bytes;

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      bytes += attributes.size();
      return FileVisitResult.CONTINUE;
    }
  }

  private static final class Deletion extends Below {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.deleteIfExists(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException error)
        throws IOException {
      if (error != null) {
        throw error;
      }
      Files.deleteIfExists(directory);
      return FileVisitResult.CONTINUE;
    }
  }
}
