package io.cairn.lab.soak;

import io.cairn.cli.LocalTree;
import io.cairn.lab.soak.SoakEvent.Executor;
import io.cairn.lab.soak.SoakEvent.What;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/**
 * Takes as many machines at once as PEER survives, and one more the second time and each third time
 * after it. A machine is lost by the death of all its executors and the deletion of its NODE.
 * Strikes only while PEER protects the group. One thread.
 */
final class MachineBlows implements SoakBlows {
  private static final long PROTECTED_SECONDS = 120;
  private static final long DEAD_SECONDS = 60;
  private static final int LONGEST_PAUSE_MILLIS = 1500;
  private static final int ONE_MORE_EVERY = 3;

  private final SoakLog log;
  private final String node;
  private final int survived;
  private final SplittableRandom random;
  private final BooleanSupplier over;
  private final SoakWaits waits;
  private final Protection protection;
  private final Map<What, Integer> counts = new EnumMap<>(What.class);

  /** A worker of Spark, by its NODE, and the processes of its executors. */
  private record Machine(Path node, List<ProcessHandle> executors) {
    static Machine of(Path node) {
      Path worker = node.getParent();
      return new Machine(
          node,
          ProcessHandle.current()
              .descendants()
              .filter(
                  process ->
                      directory(process.pid()).filter(at -> at.startsWith(worker)).isPresent())
              .toList());
    }
  }

  /**
   * Blows for a run.
   *
   * @param log of the group
   * @param node the directory of a machine's NODE, from each executor's working directory
   * @param survived as many machines may be lost at once
   * @param over whether the jobs have ended
   */
  MachineBlows(SoakLog log, String node, int survived, long seed, BooleanSupplier over) {
    this.log = log;
    this.node = node;
    this.survived = survived;
    this.random = new SplittableRandom(seed);
    this.over = over;
    this.waits = new SoakWaits(over);
    this.protection = new Protection(log);
  }

  @Override
  public Map<What, Integer> counts() {
    return Map.copyOf(counts);
  }

  @Override
  public Optional<String> strike() throws IOException {
    if (!waits.await(() -> !protection.executors().isEmpty(), PROTECTED_SECONDS)) {
      return over.getAsBoolean()
          ? Optional.empty()
          : Optional.of(
              String.format(
                  Locale.ROOT,
                  "%s: nothing is sealed at PEER within %d s",
                  log.files().name(),
                  PROTECTED_SECONDS));
    }
    SoakWaits.pause(random.nextInt(LONGEST_PAUSE_MILLIS));
    boolean oneMore = struck() % ONE_MORE_EVERY == 1;
    List<Machine> lost = choose(oneMore ? survived + 1 : survived);
    if (!lost.isEmpty()) {
      lose(lost, oneMore ? What.LOSE_MORE : What.LOSE_SOME);
    }
    return Optional.empty();
  }

  /** None if the group has begun a new epoch meanwhile, or an executor has ended. */
  private List<Machine> choose(int number) {
    Set<Path> nodes = new TreeSet<>();
    for (Executor executor : protection.executors()) {
      Optional<Path> at = directory(executor.pid());
      if (at.isEmpty()) {
        return List.of();
      }
      nodes.add(at.get().resolve(node).normalize());
    }
    List<Path> left = new ArrayList<>(nodes);
    List<Machine> chosen = new ArrayList<>();
    while (chosen.size() < number && !left.isEmpty()) {
      chosen.add(Machine.of(left.remove(random.nextInt(left.size()))));
    }
    return chosen;
  }

  /** The working directory of a process; empty if it has ended. */
  private static Optional<Path> directory(long pid) {
    try {
      return Optional.of(Files.readSymbolicLink(Path.of("/proc", Long.toString(pid), "cwd")));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** All die before anything is deleted. A new executor takes longer to start than this. */
  private void lose(List<Machine> lost, What what) throws IOException {
    List<ProcessHandle> executors =
        lost.stream().flatMap(machine -> machine.executors().stream()).toList();
    executors.forEach(ProcessHandle::destroyForcibly);
    waits.await(() -> executors.stream().noneMatch(ProcessHandle::isAlive), DEAD_SECONDS);
    for (Machine machine : lost) {
      LocalTree.delete(machine.node());
    }
    counts.merge(what, 1, Integer::sum);
    log.report(SoakEvent.blow(what, 0, Executor.ALL));
  }
}
