package io.cairn.lab.study.cluster;

import io.cairn.cache.memory.DeviceMemory;
import io.cairn.engine.promotion.NodeDirectory;
import io.cairn.testkit.CrashingMedium;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * One seed: a cluster of machines, a driver and a store, and jobs that train while faults come. In
 * the end everything heals, and every job must finish, exactly.
 */
public final class ClusterSimulation {
  private static final long SECOND = 1_000_000_000L;

  /** Nothing fails any more since then. */
  static final long BAD_DAYS_NANOS = 4 * SECOND;

  private static final int MACHINES = 3;
  private static final int MOST_STEP_HOURS = 240;
  private static final long PATIENCE_SALT = 0x5A17;
  private static final long SHARING_SALT = 0x5A4E;

  private final Turns turns;
  private final SplittableRandom random;
  private final Faults faults;
  private final Settings settings;
  private final World world;
  private final Damage damage;

  /**
   * The outcome of one seed.
   *
   * @param violation the invariant that does not hold; empty if all do
   * @param trace the last lines of what happened
   */
  public record Result(
      long seed, String violation, Map<String, Integer> faults, List<String> trace) {}

  private ClusterSimulation(
      long seed, boolean sharing, DeviceMemory device, NodeDirectory home, Executor pool) {
    // mixed once more, since a generator's numbers are those of another seed, shifted
    this.turns = new Turns(new SplittableRandom(seed).nextLong(), pool);
    this.random = turns.random();
    this.faults = new Faults(random);
    this.settings =
        Settings.draw(random)
            .withStaging(new SplittableRandom(~seed))
            .withPatience(new SplittableRandom(seed ^ PATIENCE_SALT))
            .withSharing(sharing);
    this.world = new World(turns, device, home, faults, settings);
    this.damage = new Damage(turns, faults, world.ledger());
    for (int i = 0; i < MACHINES; i++) {
      world.addMachine(processes(seed, i));
    }
    job("solo", 1, goal());
    job("pair", 2, goal());
    if (random.nextBoolean()) {
      job("other", 1 + random.nextInt(3), goal());
    }
  }

  /** In a third of cases two, which share the machine's NODE. No other draw depends on this. */
  private static int processes(long seed, int machine) {
    return new SplittableRandom(seed * MACHINES + machine).nextInt(3) == 0 ? 2 : 1;
  }

  /** So many iterations last as long as several faults do. */
  private int goal() {
    return random.nextInt(4, 18);
  }

  private Job job(String name, int size, int goal) {
    return world.addJob(name, size, goal, RankPlacement.ANYWHERE);
  }

  /**
   * Runs one seed.
   *
   * @param device with room for the caches of all processes
   * @param home a directory that exists; nothing is written there
   * @param pool a thread for each that asks
   */
  public static Result run(long seed, DeviceMemory device, NodeDirectory home, Executor pool) {
    boolean sharing = new SplittableRandom(seed ^ SHARING_SALT).nextInt(3) == 0;
    return run(seed, sharing, device, home, pool);
  }

  /** Likewise, of processes that share no device memory. */
  static Result runApart(long seed, DeviceMemory device, NodeDirectory home, Executor pool) {
    return run(seed, false, device, home, pool);
  }

  /** Likewise, of processes that share device memory. */
  static Result runSharing(long seed, DeviceMemory device, NodeDirectory home, Executor pool) {
    return run(seed, true, device, home, pool);
  }

  private static Result run(
      long seed, boolean sharing, DeviceMemory device, NodeDirectory home, Executor pool) {
    ClusterSimulation simulation = new ClusterSimulation(seed, sharing, device, home, pool);
    String violation = "";
    try {
      simulation.run();
    } catch (ViolationException e) {
      violation = String.valueOf(e.getMessage());
    } catch (IllegalStateException e) {
      violation = String.valueOf(e.getCause());
    } finally {
      simulation.world.end();
    }
    return new Result(seed, violation, simulation.faults.counts(), simulation.turns.trace());
  }

  private void run() {
    world.jobs().forEach(Job::startSoon);
    turns.after(null, random.nextLong(SECOND / 2), this::chaos);
    turns.runUntil(BAD_DAYS_NANOS, () -> false);
    world.heal();
    new GoodDays(turns, settings, world).run();
  }

  private void chaos() {
    if (faults.healed()) {
      return;
    }
    strike(random.nextInt(100));
    turns.after(null, 1 + random.nextLong(SECOND / 2), this::chaos);
  }

  private void strike(int blow) {
    if (blow < 15) {
      onExecutor(this::killExecutor);
    } else if (blow < 20) {
      onExecutor(process -> world.lose(process.machine()));
    } else if (blow < 28) {
      killDriver();
    } else if (blow < 40) {
      onExecutor(process -> stop(process.actor()));
    } else if (blow < 45) {
      stop(world.driver().actor());
    } else if (blow < 55) {
      onExecutor(this::cut);
    } else if (blow < 62) {
      away(world.store(), "store");
    } else if (blow < 67) {
      SimulatedMachine machine = world.machines().get(random.nextInt(MACHINES));
      away(machine.node(), "node of " + machine.name());
    } else if (blow < 75) {
      faults.count("cancellation");
      Job job = randomJob();
      turns.note(job.group().group(), "is cancelled");
      job.cancel();
    } else if (blow < 83) {
      faults.count("second attempt");
      randomJob().startSoon();
    } else if (blow < 88) {
      faults.count("late effects");
      world.store().applyLate();
    } else if (blow < 96) {
      damage(randomJob(), blow < 92);
    } else if (blow < 98) {
      unmount();
    } else {
      stepClock();
    }
  }

  private void stepClock() {
    faults.count("clock step");
    Duration step = Duration.ofHours(random.nextInt(-MOST_STEP_HOURS, MOST_STEP_HOURS));
    turns.note("clock", "is set by " + step);
    turns.stepWallClock(step);
  }

  /**
   * Damages a file of a job, which is cancelled, so that it may soon restore from there. At STORE
   * all checkpoints of a job may lean on one file.
   */
  private void damage(Job job, boolean atNode) {
    if (atNode) {
      damage.atNode(world.machines().get(random.nextInt(MACHINES)), world.store(), job.group());
    } else if (settings.keep() > 1 && !settings.layered()) {
      damage.atStore(world.store(), job.group());
    }
    job.cancel();
  }

  private Job randomJob() {
    return world.jobs().get(random.nextInt(world.jobs().size()));
  }

  private void onExecutor(Consumer<ExecutorProcess> blow) {
    List<ExecutorProcess> executors = world.executors();
    if (!executors.isEmpty()) {
      blow.accept(executors.get(random.nextInt(executors.size())));
    }
  }

  private void killExecutor(ExecutorProcess process) {
    faults.count("killed process");
    world.kill(process, "killed");
    turns.after(null, random.nextLong(SECOND), () -> world.startExecutor(process.machine()));
  }

  private void killDriver() {
    faults.count("killed driver");
    world.driver().actor().kill("killed");
    turns.after(null, random.nextLong(SECOND), world::replaceDriver);
  }

  private void stop(Actor actor) {
    faults.count("stopped process");
    actor.stop(random.nextLong(random.nextBoolean() ? SECOND / 2 : 3 * SECOND));
  }

  private void cut(ExecutorProcess process) {
    int direction = random.nextInt(3);
    world.network().cut(process.actor(), direction != 1, direction != 0);
    // one that does not heal lasts until the end of the bad days
    turns.after(null, random.nextLong(3 * SECOND), () -> world.network().heal(process.actor()));
  }

  private void unmount() {
    faults.count("unmounted store");
    turns.note("store", "is another empty directory");
    world.store().unmount();
    turns.after(null, random.nextLong(longestOutageNanos()), world.store()::mount);
  }

  /** What cannot be read for longer than a restore waits is passed over, as its user wants. */
  private long longestOutageNanos() {
    return Math.min(2 * SECOND, settings.storePatience().toNanos() / 2);
  }

  private void away(CrashingMedium medium, String what) {
    boolean readOnly = random.nextBoolean();
    faults.count(readOnly ? "read-only medium" : "lost medium");
    turns.note(what, readOnly ? "is read-only" : "is away");
    medium.mode(readOnly ? CrashingMedium.Mode.READ_ONLY : CrashingMedium.Mode.GONE);
    long nanos = random.nextLong(readOnly ? 2 * SECOND : longestOutageNanos());
    turns.after(null, nanos, () -> medium.mode(CrashingMedium.Mode.READ_WRITE));
  }
}
