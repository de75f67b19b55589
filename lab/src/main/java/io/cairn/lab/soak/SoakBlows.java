package io.cairn.lab.soak;

import io.cairn.lab.measure.Scratch;
import io.cairn.lab.soak.SoakEvent.Executor;
import io.cairn.lab.soak.SoakEvent.What;
import io.cairn.process.ChildProcess;
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
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Strikes executors in which ranks train, at moments that follow from a seed. One thread. */
final class SoakBlows {
  private static final long COME_BACK_SECONDS = 120;
  private static final long DECOMMISSION_SECONDS = 8;
  private static final int LONGEST_PAUSE_MILLIS = 1500;
  private static final int LONGEST_STOP_MILLIS = 3000;
  private static final long POLL_NANOS = 50_000_000;

  private final Path directory;
  private final SplittableRandom random;
  private final Consumer<String> retire;
  private final BooleanSupplier over;
  private final Map<SoakGroup, Whereabouts> whereabouts;
  private final Map<What, Integer> counts = new EnumMap<>(What.class);

  /**
   * Blows for a run.
   *
   * @param retire has the driver decommission the executor that Spark knows by this id
   * @param over whether the jobs have ended
   */
  SoakBlows(Path directory, long seed, Consumer<String> retire, BooleanSupplier over) {
    this.directory = directory;
    this.random = new SplittableRandom(seed);
    this.retire = retire;
    this.over = over;
    this.whereabouts =
        SoakGroup.ALL.stream()
            .collect(
                Collectors.toMap(
                    group -> group, group -> new Whereabouts(log(group), group.size())));
  }

  private SoakLog log(SoakGroup group) {
    return new SoakLog(directory, group.name());
  }

  /** How many there were, by kind. */
  Map<What, Integer> counts() {
    return Map.copyOf(counts);
  }

  /** How many there were. */
  int struck() {
    return counts.values().stream().mapToInt(count -> count).sum();
  }

  /**
   * Strikes once, unless the victim is between two attempts; returns the problem if it did not come
   * back.
   */
  Optional<String> strike() throws IOException, InterruptedException {
    pause(random.nextInt(LONGEST_PAUSE_MILLIS));
    SoakGroup group = SoakGroup.ALL.get(random.nextInt(SoakGroup.ALL.size()));
    int rank = random.nextInt(group.size());
    What what = kind(random.nextInt(20));
    boolean wait = random.nextInt(4) > 0;
    int stopMillis = random.nextInt(LONGEST_STOP_MILLIS);
    Optional<Executor> victim = executor(group, rank);
    if (victim.isEmpty()) {
      return comesBack(group, rank, -1);
    }
    counts.merge(what, 1, Integer::sum);
    if (what == What.LOSE) {
      loseMachine();
    } else {
      log(group).report(SoakEvent.blow(what, rank, victim.get()));
      strike(what, victim.get(), stopMillis);
    }
    return wait && what != What.STOP
        ? comesBack(group, rank, victim.get().pid())
        : Optional.empty();
  }

  /** Of twenty blows eleven kill, four stop, two and two decommission, and one is the worst. */
  private static What kind(int dice) {
    if (dice < 11) {
      return What.KILL;
    } else if (dice < 15) {
      return What.STOP;
    } else if (dice < 17) {
      return What.DECOMMISSION;
    }
    return dice < 19 ? What.RETIRE : What.LOSE;
  }

  private void strike(What what, Executor victim, int stopMillis)
      throws IOException, InterruptedException {
    if (what == What.STOP) {
      ChildProcess.signal("STOP", victim.pid());
      pause(stopMillis);
      ChildProcess.signal("CONT", victim.pid());
      return;
    }
    if (what == What.DECOMMISSION) {
      ChildProcess.signal("PWR", victim.pid());
    } else if (what == What.RETIRE) {
      retire.accept(victim.id());
    }
    if (what.isDecommission()) {
      await(() -> !Whereabouts.isAlive(victim.pid()), DECOMMISSION_SECONDS);
    }
    ProcessHandle.of(victim.pid()).ifPresent(ProcessHandle::destroyForcibly);
  }

  /** All that this process has started are executors; new ones take longer to start than this. */
  private void loseMachine() throws IOException {
    List<ProcessHandle> executors = ProcessHandle.current().descendants().toList();
    executors.forEach(ProcessHandle::destroyForcibly);
    await(() -> executors.stream().noneMatch(ProcessHandle::isAlive), COME_BACK_SECONDS);
    Scratch.delete(SoakRun.node(directory));
    for (SoakGroup group : SoakGroup.ALL) {
      log(group).report(SoakEvent.blow(What.LOSE, 0, Executor.ALL));
    }
  }

  private Optional<Executor> executor(SoakGroup group, int rank) {
    Whereabouts known = whereabouts.get(group);
    return known == null ? Optional.empty() : known.of(rank);
  }

  private Optional<String> comesBack(SoakGroup group, int rank, long struck) {
    boolean back =
        await(
            () -> executor(group, rank).filter(one -> one.pid() != struck).isPresent(),
            COME_BACK_SECONDS);
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
}
