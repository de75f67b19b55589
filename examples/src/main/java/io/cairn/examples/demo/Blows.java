package io.cairn.examples.demo;

import io.cairn.Level;
import io.cairn.examples.digits.FoldTraining;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Strikes the disturbed run twice: first one executor in mid-training, later the whole machine with
 * its node directory. When exactly, in iterations, follows from the seed. Not thread-safe.
 */
final class Blows {
  /**
   * One blow.
   *
   * @param target {@code executor} or {@code machine}
   * @param pid of the executor, or of the driver
   * @param iteration how far the fold was that was waited for
   */
  record Kill(String target, long pid, int fold, long iteration, long millis) {}

  /** The machine is killed while one of these trains, so that finished folds are struck, too. */
  private static final int LATER_FOLDS = FoldTraining.FOLDS / 2;

  private final Timeline timeline;
  private final long executorAt;
  private final long machineAt;
  private final List<Kill> kills = new ArrayList<>();

  /**
   * Blows for a run.
   *
   * @param iterations of one fold
   */
  Blows(Timeline timeline, long seed, long iterations) {
    SplittableRandom random = new SplittableRandom(seed);
    this.timeline = timeline;
    this.executorAt = iterations * (30 + random.nextInt(20)) / 100;
    this.machineAt = iterations * (45 + random.nextInt(20)) / 100;
  }

  /** The blows so far. */
  List<Kill> kills() {
    return List.copyOf(kills);
  }

  /** Kills an executor when it is time, once. */
  Optional<Kill> executor() {
    if (!kills.isEmpty()) {
      return Optional.empty();
    }
    Optional<Attempt> victim =
        running(0)
            .filter(attempt -> attempt.iterations() >= executorAt)
            .filter(attempt -> attempt.newestSealed(Level.NODE) > 0)
            .findFirst();
    victim.ifPresent(
        attempt -> ProcessHandle.of(attempt.pid()).ifPresent(ProcessHandle::destroyForcibly));
    return victim.map(attempt -> note("executor", attempt.pid(), attempt));
  }

  /** Kills the machine when it is time, once, and after the first victim has gone on. */
  Optional<Kill> machine(DriverProcess driver, Path nodeDirectory)
      throws IOException, InterruptedException {
    if (kills.size() != 1 || !recovered(kills.get(0))) {
      return Optional.empty();
    }
    Optional<Attempt> victim =
        running(allLaterDone() ? 0 : LATER_FOLDS)
            .filter(attempt -> attempt.iterations() >= machineAt)
            .filter(attempt -> attempt.newestSealed(Level.STORE) > 0)
            .findFirst();
    if (victim.isEmpty()) {
      return Optional.empty();
    }
    Kill kill = note("machine", driver.pid(), victim.get());
    driver.killMachine();
    erase(nodeDirectory);
    return Optional.of(kill);
  }

  /** With many executors the later folds may be through before the first victim is back. */
  private boolean allLaterDone() {
    return IntStream.range(LATER_FOLDS, FoldTraining.FOLDS)
        .allMatch(fold -> timeline.done(fold).isPresent());
  }

  private boolean recovered(Kill kill) {
    return timeline.newest(kill.fold()).flatMap(Attempt::resumed).isPresent();
  }

  private Stream<Attempt> running(int firstFold) {
    return IntStream.range(firstFold, FoldTraining.FOLDS)
        .mapToObj(timeline::newest)
        .flatMap(Optional::stream)
        .filter(attempt -> attempt.done().isEmpty());
  }

  private Kill note(String target, long pid, Attempt attempt) {
    Kill kill =
        new Kill(target, pid, attempt.fold(), attempt.iterations(), System.currentTimeMillis());
    kills.add(kill);
    return kill;
  }

  private static void erase(Path directory) throws IOException {
    if (Files.exists(directory)) {
      try (Stream<Path> files = Files.walk(directory)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
