package io.cairn.testkit;

import io.cairn.flush.store.StoreEntry;
import io.cairn.flush.store.StoreErrors;
import io.cairn.flush.store.StorePath;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The medium behind {@link CrashingStore}s: files in memory that any number of stores share, each
 * of them one process's access. The behaviour follows from the seed and the order of the calls.
 * Thread-safe.
 *
 * <p>On request {@link #crash} loses power, {@link #flipBit} and {@link #truncate} damage a file,
 * and {@link #capacityBytes} limits the space. {@link #mode} makes the medium read-only or removes
 * it, and {@link #unmount} puts an empty directory in its place. {@link #applyLate} carries out
 * calls that a {@link CrashingStore.Fault#LATE} fault delayed.
 */
public final class CrashingMedium {
  /** The operations that the medium permits. */
  public enum Mode {
    /** Everything. */
    READ_WRITE,
    /** Reading; everything else is an error without effect. */
    READ_ONLY,
    /** Nothing. */
    GONE
  }

  /** Something that a store does to the medium. */
  interface Operation<T> {
    T run() throws IOException;
  }

  private final SplittableRandom random;
  private final StoreErrors errors;
  private final TreeMap<String, CrashingFile> files = new TreeMap<>();
  private final TreeSet<String> directories = new TreeSet<>();
  private final List<Operation<?>> late = new ArrayList<>();
  private long capacityBytes = Long.MAX_VALUE;
  private Mode mode = Mode.READ_WRITE;
  private int crashes;

  /** The files that are out of reach; null while they are not. */
  private @Nullable Mounted mounted;

  /** A file system, and the number of operations that were late when it was unmounted. */
  private record Mounted(
      TreeMap<String, CrashingFile> files, TreeSet<String> directories, int late) {}

  /** An empty medium. */
  public CrashingMedium(long seed) {
    this.random = new SplittableRandom(seed);
    this.errors = new StoreErrors("memory:/crashing-" + seed);
  }

  /**
   * Loses power. Of what was not synced, the name may vanish, the tail may vanish, or turn into
   * zeros or garbage. Outputs that are open fail from now on. Operations that are still late take
   * place or are lost.
   */
  public synchronized void crash() {
    crashes++;
    late.removeIf(operation -> random.nextBoolean());
    applyLate();
    files.values().removeIf(file -> !file.crash(random));
  }

  /** Flips one bit, chosen by the seed; returns the offset of its byte. */
  public synchronized long flipBit(String path) {
    int length = require(path).length();
    if (length == 0) {
      throw new IllegalArgumentException(errors.at(path) + " is empty: no bit to flip");
    }
    int offset = random.nextInt(length);
    flipBit(path, offset);
    return offset;
  }

  /** Flips one bit of the byte at an offset. */
  public synchronized void flipBit(String path, long offset) {
    require(path).flip(Math.toIntExact(offset), random.nextInt(8));
  }

  /** Cuts a file off. */
  public synchronized void truncate(String path, long bytes) {
    require(path).truncate(Math.toIntExact(Math.min(bytes, require(path).length())));
  }

  /** Lets writes fail for lack of space as soon as all files together have this many bytes. */
  public synchronized void capacityBytes(long bytes) {
    capacityBytes = bytes;
  }

  /** Switches what is possible; open streams feel it, too. */
  public synchronized void mode(Mode next) {
    mode = next;
  }

  /**
   * An empty directory takes the place of all files until {@link #mount}: what a process writes
   * meanwhile lies below the mount point. Open outputs still write to their files.
   */
  public synchronized void unmount() {
    if (mounted == null) {
      mounted = new Mounted(new TreeMap<>(files), new TreeSet<>(directories), late.size());
      files.clear();
      directories.clear();
    }
  }

  /** All files are back, and those below the mount point are out of reach. */
  public synchronized void mount() {
    Mounted back = mounted;
    if (back != null) {
      mounted = null;
      files.clear();
      files.putAll(back.files());
      directories.clear();
      directories.addAll(back.directories());
      late.subList(Math.min(back.late(), late.size()), late.size()).clear();
    }
  }

  /** Whether an empty directory is in the place of the files. */
  public synchronized boolean isUnmounted() {
    return mounted != null;
  }

  /** How many operations are late. */
  public synchronized int late() {
    return late.size();
  }

  /**
   * Carries out all operations that are late, in the order of the calls; those whose preconditions
   * no longer hold have no effect. Returns how many had one.
   */
  public synchronized int applyLate() {
    if (mounted != null) {
      return 0;
    }
    List<Operation<?>> due = List.copyOf(late);
    late.clear();
    int applied = 0;
    for (Operation<?> operation : due) {
      applied += hasEffect(operation) ? 1 : 0;
    }
    return applied;
  }

  private static boolean hasEffect(Operation<?> operation) {
    try {
      return !Boolean.FALSE.equals(operation.run());
    } catch (IOException e) {
      return false; // Nobody waits for the answer any more.
    }
  }

  /** The paths of all files, sorted. */
  public synchronized List<String> paths() {
    return List.copyOf(files.keySet());
  }

  /** The paths of all files below a directory, sorted. */
  public synchronized List<String> pathsBelow(String directory) {
    return List.copyOf(files.subMap(firstBelow(directory), pastBelow(directory)).keySet());
  }

  /** Like {@link #pathsBelow}, of the files that are out of reach while it is unmounted. */
  public synchronized List<String> mountedPathsBelow(String directory) {
    TreeMap<String, CrashingFile> all = mounted == null ? files : mounted.files();
    return List.copyOf(all.subMap(firstBelow(directory), pastBelow(directory)).keySet());
  }

  private CrashingFile require(String path) {
    CrashingFile file = files.get(path);
    if (file == null) {
      throw new IllegalArgumentException(errors.at(path) + " does not exist");
    }
    return file;
  }

  StoreErrors errors() {
    return errors;
  }

  int crashes() {
    return crashes;
  }

  void later(Operation<?> operation) {
    late.add(operation);
  }

  void requireReadable() throws IOException {
    if (mode == Mode.GONE) {
      throw errors.gone();
    }
  }

  void requireWritable(String path) throws IOException {
    requireReadable();
    if (mode == Mode.READ_ONLY) {
      throw new IOException("cannot change " + errors.at(path) + ": Read-only file system");
    }
  }

  CrashingFile create(String path) throws IOException {
    if (files.containsKey(path) || directories.contains(path)) {
      throw errors.exists(path, null);
    }
    makeDirectories(path);
    CrashingFile file = new CrashingFile();
    files.put(path, file);
    return file;
  }

  /** A directory that is there has all those above it. */
  private void makeDirectories(String path) throws IOException {
    if (directories.contains(StorePath.parent(path))) {
      return;
    }
    for (String above = StorePath.parent(path); !above.isEmpty(); above = StorePath.parent(above)) {
      if (files.containsKey(above)) {
        throw errors.failed("create", path, errors.notDirectory(above));
      }
    }
    for (String above = StorePath.parent(path); !above.isEmpty(); above = StorePath.parent(above)) {
      directories.add(above);
    }
  }

  /** Appends as much as there is room for. */
  void append(String path, CrashingFile file, ByteBuffer bytes) throws IOException {
    int room = (int) Math.min(bytes.remaining(), roomBytes());
    file.append(bytes.slice(bytes.position(), room));
    bytes.position(bytes.position() + room);
    if (bytes.hasRemaining()) {
      throw errors.failed("write", path, file.length(), new IOException("No space left on device"));
    }
  }

  private long roomBytes() {
    return capacityBytes == Long.MAX_VALUE
        ? Long.MAX_VALUE
        : Math.max(
            0, capacityBytes - files.values().stream().mapToLong(CrashingFile::length).sum());
  }

  boolean publish(String from, String to) throws IOException {
    CrashingFile file = find(from);
    if (files.containsKey(to) || directories.contains(to)) {
      throw errors.exists(to, null);
    }
    files.put(to, file);
    files.remove(from);
    return true;
  }

  boolean replace(String from, String to) throws IOException {
    CrashingFile file = find(from);
    if (directories.contains(to)) {
      throw errors.isDirectory(to);
    }
    files.put(to, file);
    files.remove(from);
    return true;
  }

  CrashingFile find(String path) throws IOException {
    if (directories.contains(path)) {
      throw errors.isDirectory(path);
    }
    CrashingFile file = files.get(path);
    if (file == null) {
      throw errors.missing(path, null);
    }
    return file;
  }

  List<StoreEntry> list(String directory) throws IOException {
    if (files.containsKey(directory)) {
      throw errors.notDirectory(directory);
    }
    List<StoreEntry> entries = new ArrayList<>();
    forEachChild(
        files.navigableKeySet(),
        directory,
        path -> entries.add(new StoreEntry(name(path), false, require(path).length())));
    forEachChild(directories, directory, path -> entries.add(new StoreEntry(name(path), true, 0)));
    entries.sort(Comparator.comparing(StoreEntry::name));
    return entries;
  }

  /** Passes over whatever lies below a child in one step. */
  private static void forEachChild(
      NavigableSet<String> paths, String directory, Consumer<String> use) {
    String first = firstBelow(directory);
    String past = pastBelow(directory);
    String path = paths.ceiling(first);
    while (path != null && path.compareTo(past) < 0) {
      int end = path.indexOf('/', first.length());
      if (end < 0) {
        use.accept(path);
      }
      path = end < 0 ? paths.higher(path) : paths.ceiling(pastBelow(path.substring(0, end)));
    }
  }

  /** The least path below a directory; {@link #pastBelow} is greater than each. */
  private static String firstBelow(String directory) {
    return directory.isEmpty() ? "" : directory + "/";
  }

  private static String pastBelow(String directory) {
    return directory.isEmpty() ? "\uffff" : directory + (char) ('/' + 1);
  }

  private static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  boolean delete(String path) throws IOException {
    if (directories.contains(path)) {
      throw errors.isDirectory(path);
    }
    return files.remove(path) != null;
  }

  boolean deleteDirectory(String directory) throws IOException {
    if (files.containsKey(directory)) {
      throw errors.notDirectory(directory);
    }
    files.subMap(firstBelow(directory), pastBelow(directory)).clear();
    directories.subSet(firstBelow(directory), pastBelow(directory)).clear();
    return directories.remove(directory);
  }
}
