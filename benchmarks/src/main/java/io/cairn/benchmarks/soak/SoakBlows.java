package io.cairn.benchmarks.soak;

import io.cairn.benchmarks.soak.SoakEvent.What;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Strikes executors in which ranks train, at moments that follow from a seed. One thread. */
final class SoakBlows {
  private static final long COME_BACK_SECONDS = 120;
  private static final long DECOMMISSION_SECONDS = 8;
  private static final int LONGEST_PAUSE_MILLIS = 1500;
  private static final int LONGEST_STOP_MILLIS = 3000;
  private static final long POLL_NANOS = 50_000_000;

  private final Path directory;
  private final SplittableRandom random;
  private final BooleanSupplier over;
  private final Map<What, Integer> counts = new EnumMap<>(What.class);

  /**
   * Blows for a run.
   *
   * @param over whether the jobs have ended
   */
  SoakBlows(Path directory, long seed, BooleanSupplier over) {
    this.directory = directory;
    this.random = new SplittableRandom(seed);
    this.over = over;
  }

  /** How many there were, by kind. */
  Map<What, Integer> counts() {
    return Map.copyOf(counts);
  }

  /** Strikes once; returns the problem if the victim did not come back. */
  Optional<String> strike() throws IOException, InterruptedException {
    pause(random.nextInt(LONGEST_PAUSE_MILLIS));
    SoakGroup group = SoakGroup.ALL.get(random.nextInt(SoakGroup.ALL.size()));
    int rank = random.nextInt(group.size());
    What what = kind();
    boolean wait = random.nextInt(4) > 0;
    int stopMillis = random.nextInt(LONGEST_STOP_MILLIS);
    SoakLog log = new SoakLog(directory, group.name());
    Optional<Long> pid = alive(log, rank);
    if (pid.isEmpty()) {
      return comesBack(log, group, rank, -1);
    }
    log.tell(new SoakEvent(what, rank, pid.get(), 0, -1, SoakEvent.NONE));
    counts.merge(what, 1, Integer::sum);
    if (what == What.STOP) {
      signal("STOP", pid.get());
      pause(stopMillis);
      signal("CONT", pid.get());
      return Optional.empty();
    }
    if (what == What.DECOMMISSION) {
      signal("PWR", pid.get());
      await(() -> !isAlive(pid.get()), DECOMMISSION_SECONDS);
    }
    ProcessHandle.of(pid.get()).ifPresent(ProcessHandle::destroyForcibly);
    return wait ? comesBack(log, group, rank, pid.get()) : Optional.empty();
  }

  private What kind() {
    int dice = random.nextInt(10);
    return dice < 6 ? What.KILL : dice < 8 ? What.STOP : What.DECOMMISSION;
  }

  /** Where the rank runs, unless it is between two attempts. */
  private static Optional<Long> alive(SoakLog log, int rank) {
    return pid(log.events(), rank).filter(SoakBlows::isAlive);
  }

  private static Optional<Long> pid(List<SoakEvent> events, int rank) {
    return events.stream()
        .filter(event -> event.what().isEntry() && event.rank() == rank)
        .reduce((earlier, later) -> later)
        .map(SoakEvent::pid);
  }

  private static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
  }

  private Optional<String> comesBack(SoakLog log, SoakGroup group, int rank, long struck) {
    boolean back =
        await(() -> alive(log, rank).filter(pid -> pid != struck).isPresent(), COME_BACK_SECONDS);
    return back || over.getAsBoolean()
        ? Optional.empty()
        : Optional.of(
            "%s: rank %d did not come back within %d s"
                .formatted(group.name(), rank, COME_BACK_SECONDS));
  }

  /** Waits until something is so; not after the jobs have ended. */
  private boolean await(BooleanSupplier wanted, long seconds) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    while (!wanted.getAsBoolean()) {
      if (System.nanoTime() > end || over.getAsBoolean()) {
        return false;
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
    return true;
  }

  private static void pause(int millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  private static void signal(String signal, long pid) throws IOException, InterruptedException {
    // it may have ended a moment ago, which is no error
    new ProcessBuilder("kill", "-" + signal, Long.toString(pid))
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }
}
