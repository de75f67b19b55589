package io.cairn.lab.study.cluster;

import io.cairn.GroupId;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.engine.promotion.NodeDirectory;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.Durability;
import io.cairn.flush.store.LocalStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;

/**
 * A week in virtual time: short groups come and go through one driver and two executors, with real
 * caches, sessions, coordinators and directories. One executor writes to STORE for the other.
 * Nothing fails. The memory and files in use by the processes must not grow with the groups that
 * ended.
 */
public final class Week {
  /** With fewer, a leak of one entry per group of two ranks would pass. */
  public static final int FEWEST_GROUPS = 40;

  private static final int DEVICE_BYTES = 1 << 18;
  private static final int ITERATIONS = 6;

  /** After so long the warnings of a group that ended are forgotten. */
  private static final Duration WARNED = Duration.ofMinutes(11);

  /** Groups whose checkpoints the user still wants; older ones are deleted at STORE. */
  private static final int WANTED = 5;

  /** Maps may differ by what is under way, and by what fits the caches; a leak grows with them. */
  private static final int MOST_MORE_ENTRIES = 8;

  private static final int MOST_MORE_FILES = 40;
  private static final int MOST_MORE_DESCRIPTORS = 8;
  private static final long MOST_MORE_HEAP_BYTES = 2 << 20;

  /**
   * The resources in use after some groups.
   *
   * @param heapBytes after a collection
   * @param mappings of memory, as the system lists them
   * @param sharedBytes of the device's arena
   * @param promisedBytes that the staging server has not written yet
   * @param staged containers that it wrote so far
   * @param entries in maps and collections, by the field that holds them
   */
  public record Use(
      int groups,
      long heapBytes,
      int descriptors,
      int mappings,
      long sharedBytes,
      int filesAtNode,
      int filesAtStore,
      long promisedBytes,
      int staged,
      Map<String, Integer> entries) {}

  /**
   * The use early and at the end.
   *
   * @param grown the things that grew, for people; empty if all are flat
   */
  public record Report(Use early, Use end, List<String> grown, double seconds) {}

  private final Path directory;
  private final long intervalNanos;
  private final Turns turns;
  private final Faults faults;
  private final CheckpointStore store;
  private final SimulatedDriver driver;
  private final List<ExecutorProcess> executors = new ArrayList<>();
  private final Deque<GroupId> wanted = new ArrayDeque<>();

  private Week(Path directory, Duration interval, SharedMemoryDevice device, ExecutorService pool)
      throws IOException {
    this.directory = directory;
    this.intervalNanos = interval.toNanos();
    this.turns = new Turns(7, pool);
    this.store = LocalStore.open(directory.resolve("store"), Durability.PROCESS);
    Settings settings = Settings.draw(turns.random()).alone().staging(1);
    this.driver = new SimulatedDriver(turns, new Actor(turns, "driver"), settings, store);
    this.faults = new Faults(turns.random());
    faults.heal();
    Network network = new Network(turns, () -> driver, faults);
    SimulatedDevice memory = new SimulatedDevice(turns, device);
    PeerNetwork peers = new PeerNetwork(turns, () -> driver, network, faults, memory);
    for (int i = 0; i < 2; i++) {
      NodeDirectory home = new NodeDirectory(directory.resolve("node" + i), store);
      executors.add(
          new ExecutorProcess(
              turns,
              new Actor(turns, "p" + i),
              new SimulatedMachine("m" + i, 1, turns.random()),
              new ExecutorProcess.Places(
                  memory, home, home.open(), store, settings.drawSlots(turns.random())),
              settings,
              new ExecutorProcess.Ways(network, peers)));
    }
  }

  /**
   * Runs groups one after the other.
   *
   * @param groups at least {@link #FEWEST_GROUPS}
   * @param interval of virtual time, in which each of them begins and ends
   * @throws IOException if files or shared memory cannot be used
   * @throws ViolationException if a group does not end, or not exactly
   */
  public static Report run(int groups, Duration interval) throws IOException {
    long begin = System.nanoTime();
    int first = Math.max(groups / 10, Math.min(groups / 2, (int) WARNED.dividedBy(interval)));
    Path directory = Files.createTempDirectory("cairn-week");
    ExecutorService pool = Executors.newCachedThreadPool(ClusterSweep::quietThread);
    try (SharedMemoryDevice device =
        SharedMemoryDevice.open(directory.resolve("device"), directory, DEVICE_BYTES)) {
      Week week = new Week(directory, interval, device, pool);
      week.train(0, first);
      Use early = week.use(first);
      week.train(first, groups);
      Use end = week.use(groups);
      week.end();
      return new Report(early, end, grown(early, end), (System.nanoTime() - begin) / 1e9);
    } finally {
      pool.shutdownNow();
      try (LocalStore all = LocalStore.openForReading(directory)) {
        for (var entry : all.list("")) {
          if (entry.directory()) {
            all.deleteDirectory(entry.name());
          }
        }
      }
      Files.deleteIfExists(directory);
    }
  }

  private void train(int from, int to) throws IOException {
    for (int number = from; number < to; number++) {
      GroupId group = new GroupId("job", "trial-" + number);
      int size = 1 + number % 2;
      Job job =
          new Job(
              turns,
              new TrueHistory(false, false),
              () -> executors,
              RankPlacement.ANYWHERE,
              group,
              size,
              ITERATIONS);
      job.startSoon();
      turns.runUntil(turns.nowNanos() + intervalNanos, () -> false);
      TrueHistory.require(job.done(), group + " does not end");
      wanted.add(group);
      if (wanted.size() > WANTED) {
        store.deleteDirectory(StoreNames.group(wanted.remove()));
      }
    }
  }

  private void end() {
    executors.forEach(process -> process.actor().kill("end"));
    driver.actor().kill("end");
    turns.endThreads();
  }

  private Use use(int groups) throws IOException {
    SortedMap<String, Integer> entries = Remembered.by(driver, executors);
    return new Use(
        groups,
        heapBytes(),
        openFiles(),
        (int) mappings(),
        bytes(directory.resolve("device")),
        (int) (count(directory.resolve("node0"), 20) + count(directory.resolve("node1"), 20)),
        (int) count(directory.resolve("store"), 20),
        executors.stream().mapToLong(ExecutorProcess::promisedBytes).sum(),
        faults.counts().getOrDefault(PeerNetwork.STAGED, 0),
        entries);
  }

  private static long heapBytes() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  private static long mappings() throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps"))) {
      return lines.filter(line -> line.contains(".arena")).count();
    }
  }

  /** Entries may go while they are listed, since other threads close files. */
  private static int openFiles() {
    String[] names = Path.of("/proc/self/fd").toFile().list();
    return names == null ? 0 : names.length;
  }

  private static long count(Path directory, int depth) throws IOException {
    try (Stream<Path> files = Files.walk(directory, depth)) {
      return files.count();
    }
  }

  private static long bytes(Path directory) throws IOException {
    long bytes = 0;
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        bytes += Files.size(file);
      }
    }
    return bytes;
  }

  private static List<String> grown(Use early, Use end) {
    List<String> grown = new ArrayList<>();
    require(grown, "bytes of heap", early.heapBytes(), end.heapBytes(), MOST_MORE_HEAP_BYTES);
    require(grown, "descriptors", early.descriptors(), end.descriptors(), MOST_MORE_DESCRIPTORS);
    require(grown, "mappings", early.mappings(), end.mappings(), 0);
    require(grown, "bytes of shared memory", early.sharedBytes(), end.sharedBytes(), 0);
    require(grown, "bytes promised to owners", early.promisedBytes(), end.promisedBytes(), 0);
    require(grown, "files at NODE", early.filesAtNode(), end.filesAtNode(), MOST_MORE_FILES);
    require(grown, "files at STORE", early.filesAtStore(), end.filesAtStore(), MOST_MORE_FILES);
    new TreeMap<>(end.entries())
        .forEach(
            (field, size) -> {
              int before = early.entries().getOrDefault(field, 0);
              require(grown, field, before, size, before + MOST_MORE_ENTRIES);
            });
    return grown;
  }

  private static void require(List<String> grown, String what, long early, long end, long more) {
    if (end > early + more) {
      grown.add(String.format(Locale.ROOT, "%s: %d, then %d", what, early, end));
    }
  }
}
