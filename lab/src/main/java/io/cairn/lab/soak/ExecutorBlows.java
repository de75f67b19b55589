package io.cairn.lab.soak;

import io.cairn.cli.LocalTree;
import io.cairn.lab.soak.SoakEvent.Executor;
import io.cairn.lab.soak.SoakEvent.What;
import io.cairn.process.ChildProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Strikes executors in which ranks train, at moments that follow from a seed. One thread. */
final class ExecutorBlows implements SoakBlows {
  private static final long COME_BACK_SECONDS = 120;
  private static final long DECOMMISSION_SECONDS = 8;
  private static final int LONGEST_PAUSE_MILLIS = 1500;
  private static final int LONGEST_STOP_MILLIS = 3000;

  private final List<SoakGroup> groups;
  private final Path directory;
  private final Path node;
  private final SplittableRandom random;
  private final Consumer<String> retire;
  private final BooleanSupplier over;
  private final SoakWaits waits;
  private final Map<SoakGroup, Whereabouts> whereabouts;
  private final Map<What, Integer> counts = new EnumMap<>(What.class);

  /**
   * Blows for a run.
   *
   * @param groups with ranks in executors
   * @param directory with the logs of the groups
   * @param node what a machine loses
   * @param retire has the driver decommission the executor that Spark knows by this id
   * @param over whether the jobs have ended
   */
  ExecutorBlows(
      List<SoakGroup> groups,
      Path directory,
      Path node,
      long seed,
      Consumer<String> retire,
      BooleanSupplier over) {
    this.groups = groups;
    this.directory = directory;
    this.node = node;
    this.random = new SplittableRandom(seed);
    this.retire = retire;
    this.over = over;
    this.waits = new SoakWaits(over);
    this.whereabouts =
        groups.stream()
            .collect(
                Collectors.toMap(
                    group -> group, group -> new Whereabouts(log(group), group.size())));
  }

  private SoakLog log(SoakGroup group) {
    return new SoakLog(directory, group.name());
  }

  @Override
  public Map<What, Integer> counts() {
    return Map.copyOf(counts);
  }

  @Override
  public Optional<String> strike() throws IOException, InterruptedException {
    SoakWaits.pause(random.nextInt(LONGEST_PAUSE_MILLIS));
    SoakGroup group = groups.get(random.nextInt(groups.size()));
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
      SoakWaits.pause(stopMillis);
      ChildProcess.signal("CONT", victim.pid());
      return;
    }
    if (what == What.DECOMMISSION) {
      ChildProcess.signal("PWR", victim.pid());
    } else if (what == What.RETIRE) {
      retire.accept(victim.id());
    }
    if (what.isDecommission()) {
      waits.await(() -> !Whereabouts.isAlive(victim.pid()), DECOMMISSION_SECONDS);
    }
    ProcessHandle.of(victim.pid()).ifPresent(ProcessHandle::destroyForcibly);
  }

  /** All that this process has started are executors; new ones take longer to start than this. */
  private void loseMachine() throws IOException {
    List<ProcessHandle> executors = ProcessHandle.current().descendants().toList();
    executors.forEach(ProcessHandle::destroyForcibly);
    waits.await(() -> executors.stream().noneMatch(ProcessHandle::isAlive), COME_BACK_SECONDS);
    LocalTree.delete(node);
    for (SoakGroup group : groups) {
      log(group).report(SoakEvent.blow(What.LOSE, 0, Executor.ALL));
    }
  }

  private Optional<Executor> executor(SoakGroup group, int rank) {
    Whereabouts known = whereabouts.get(group);
    return known == null ? Optional.empty() : known.of(rank);
  }

  private Optional<String> comesBack(SoakGroup group, int rank, long struck) {
    boolean back =
        waits.await(
            () -> executor(group, rank).filter(one -> one.pid() != struck).isPresent(),
            COME_BACK_SECONDS);
    return back || over.getAsBoolean()
        ? Optional.empty()
        : Optional.of(
            String.format(
                Locale.ROOT,
                "%s: rank %d did not come back within %d s",
                group.name(),
                rank,
                COME_BACK_SECONDS));
  }
}
