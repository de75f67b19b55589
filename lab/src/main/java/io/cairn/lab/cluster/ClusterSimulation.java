package io.cairn.lab.cluster;

import io.cairn.cache.memory.DeviceMemory;
import io.cairn.core.model.GroupId;
import io.cairn.engine.promotion.NodeDirectory;
import io.cairn.flush.commit.StoreIdentity;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CrashingMedium;
import io.cairn.flush.store.CrashingStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  private final Turns turns;
  private final SplittableRandom random;
  private final DeviceMemory device;
  private final NodeDirectory home;
  private final Faults faults;
  private final Settings settings;
  private final CrashingMedium store;
  private final Ledger ledger;
  private final RandomNames names = new RandomNames();
  private final Damage damage;
  private final Network network;
  private final Optional<PeerNetwork> nodes;
  private final List<Machine> machines = new ArrayList<>();
  private final List<ExecutorProcess> executors = new ArrayList<>();
  private final List<CrashingStore> open = new ArrayList<>();
  private final List<Job> jobs = new ArrayList<>();
  private DriverProcess driver;
  private int processes;

  /**
   * The outcome of one seed.
   *
   * @param violation the invariant that does not hold; empty if all do
   * @param trace the last lines of what happened
   */
  public record Result(
      long seed, String violation, Map<String, Integer> faults, List<String> trace) {}

  private ClusterSimulation(long seed, DeviceMemory device, NodeDirectory home, Executor pool) {
    // mixed once more, since a generator's numbers are those of another seed, shifted
    this.turns = new Turns(new SplittableRandom(seed).nextLong(), pool);
    this.random = turns.random();
    this.device = device;
    this.home = home;
    this.faults = new Faults(random);
    this.settings = Settings.draw(random).withStaging(new SplittableRandom(~seed));
    this.ledger = new Ledger(settings.nodesServed(), settings.layered());
    this.store = new CrashingMedium(random.nextLong());
    name(store, home);
    this.damage = new Damage(turns, faults, ledger);
    this.network = new Network(turns, this::driver, faults);
    this.nodes =
        settings.nodesServed()
            ? Optional.of(new PeerNetwork(turns, this::driver, network, faults))
            : Optional.empty();
    this.driver = startDriver();
    for (int i = 0; i < MACHINES; i++) {
      machines.add(new Machine("m" + i, random));
      startExecutor(machines.get(i));
    }
    job("solo", 1, goal());
    job("pair", 2, goal());
    if (random.nextBoolean()) {
      job("other", 1 + random.nextInt(3), goal());
    }
  }

  /** Every process knows the name. */
  private static void name(CrashingMedium store, NodeDirectory home) {
    try {
      String unused = StoreIdentity.give(new CrashingStore(store, 0), home.identity());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** So many iterations last as long as several faults do. */
  private int goal() {
    return random.nextInt(4, 18);
  }

  private Job job(String name, int size, int goal) {
    Job job = new Job(turns, ledger, () -> executors, new GroupId("job", name), size, goal);
    jobs.add(job);
    return job;
  }

  /**
   * Runs one seed.
   *
   * @param device with room for the caches of all processes
   * @param home a directory that exists; nothing is written there
   * @param pool a thread for each that asks
   */
  public static Result run(long seed, DeviceMemory device, NodeDirectory home, Executor pool) {
    ClusterSimulation simulation = new ClusterSimulation(seed, device, home, pool);
    String violation = "";
    try {
      simulation.run();
    } catch (ViolationException e) {
      violation = String.valueOf(e.getMessage());
    } catch (IllegalStateException e) {
      violation = String.valueOf(e.getCause());
    } finally {
      simulation.end();
    }
    return new Result(seed, violation, simulation.faults.counts(), simulation.turns.trace());
  }

  private void run() {
    jobs.forEach(Job::startSoon);
    turns.after(null, random.nextLong(SECOND / 2), this::chaos);
    turns.runUntil(BAD_DAYS_NANOS, () -> false);
    heal();
    new GoodDays(turns, ledger, settings, machines, jobs, store, new Cluster()).run();
  }

  /** The processes, for the good days. */
  private final class Cluster implements GoodDays.Cluster {
    @Override
    public Job startLate(String name, int size, int goal) {
      Job late = job(name, size, goal);
      late.startSoon();
      return late;
    }

    @Override
    public void kill(Machine machine) {
      killAll(machine, "its machine is shut down");
    }

    @Override
    public long promisedBytes() {
      return executors.stream().mapToLong(ExecutorProcess::promisedBytes).sum();
    }

    @Override
    public void lose(Machine machine) {
      loseMachine(machine);
    }

    @Override
    public void restart() {
      restartAll();
    }
  }

  private void restartAll() {
    List.copyOf(executors).forEach(process -> kill(process, "end of the job"));
    driver.actor().kill("end of the job");
    driver = startDriver();
    machines.forEach(this::startExecutor);
    jobs.forEach(Job::again);
  }

  private void end() {
    executors.forEach(process -> process.actor().kill("end"));
    driver.actor().kill("end");
    turns.endThreads();
  }

  private DriverProcess driver() {
    return driver;
  }

  private CheckpointStore open(Actor actor, CrashingMedium medium, TurningStore.Watch watch) {
    CrashingStore opened = new CrashingStore(medium, random.nextLong());
    opened.failRandomly(faults.storeFault());
    open.add(opened);
    actor.atDeath(opened::kill);
    return new TurningStore(turns, actor, opened, names, watch);
  }

  private DriverProcess startDriver() {
    Actor actor = new Actor(turns, "driver" + processes++);
    return new DriverProcess(turns, actor, settings, open(actor, store, TurningStore.UNWATCHED));
  }

  private void startExecutor(Machine machine) {
    Actor actor = new Actor(turns, "p" + processes++ + "@" + machine.name());
    CheckpointStore node =
        open(actor, machine.node(), new NodeWatch(turns, ledger, machine, store));
    CheckpointStore shared = open(actor, store, TurningStore.UNWATCHED);
    ExecutorProcess.Places places =
        new ExecutorProcess.Places(device, home.seenAs(shared), node, shared);
    ExecutorProcess.Ways ways = new ExecutorProcess.Ways(network, nodes);
    executors.add(new ExecutorProcess(turns, actor, machine, places, settings, ways));
  }

  private void heal() {
    turns.note("world", "heals");
    faults.heal();
    store.mode(CrashingMedium.Mode.READ_WRITE);
    store.mount();
    machines.forEach(machine -> machine.node().mode(CrashingMedium.Mode.READ_WRITE));
    open.forEach(each -> each.failRandomly(0));
    executors.forEach(process -> network.heal(process.actor()));
    store.applyLate();
    machines.forEach(machine -> machine.node().applyLate());
  }

  private void kill(ExecutorProcess process, String reason) {
    executors.remove(process);
    process.actor().kill(reason);
    jobs.forEach(job -> job.lost(process.actor()));
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
      onExecutor(process -> loseMachine(process.machine()));
    } else if (blow < 28) {
      killDriver();
    } else if (blow < 40) {
      onExecutor(process -> stop(process.actor()));
    } else if (blow < 45) {
      stop(driver.actor());
    } else if (blow < 55) {
      onExecutor(this::cut);
    } else if (blow < 62) {
      away(store, "store");
    } else if (blow < 67) {
      Machine machine = machines.get(random.nextInt(MACHINES));
      away(machine.node(), "node of " + machine.name());
    } else if (blow < 75) {
      faults.count("cancellation");
      Job job = jobs.get(random.nextInt(jobs.size()));
      turns.note(job.group().group(), "is cancelled");
      job.cancel();
    } else if (blow < 83) {
      faults.count("second attempt");
      jobs.get(random.nextInt(jobs.size())).startSoon();
    } else if (blow < 88) {
      faults.count("late effects");
      store.applyLate();
    } else if (blow < 96) {
      damage(jobs.get(random.nextInt(jobs.size())), blow < 92);
    } else {
      unmount();
    }
  }

  /**
   * Damages a file of a job, which is cancelled, so that it may soon restore from there. At STORE
   * all checkpoints of a job may lean on one file.
   */
  private void damage(Job job, boolean atNode) {
    if (atNode) {
      damage.atNode(machines.get(random.nextInt(MACHINES)), store, job.group());
    } else if (settings.keep() > 1 && !settings.layered()) {
      damage.atStore(store, job.group());
    }
    job.cancel();
  }

  private void onExecutor(Consumer<ExecutorProcess> blow) {
    if (!executors.isEmpty()) {
      blow.accept(executors.get(random.nextInt(executors.size())));
    }
  }

  private void killExecutor(ExecutorProcess process) {
    faults.count("killed process");
    kill(process, "killed");
    turns.after(null, random.nextLong(SECOND), () -> startExecutor(process.machine()));
  }

  private void loseMachine(Machine machine) {
    faults.count("lost machine");
    turns.note(machine.name(), "is lost");
    machine.lose();
    killAll(machine, "its machine is lost");
    turns.after(null, random.nextLong(SECOND), () -> startExecutor(machine));
  }

  private void killAll(Machine machine, String reason) {
    for (ExecutorProcess process : List.copyOf(executors)) {
      if (process.machine() == machine) {
        kill(process, reason);
      }
    }
  }

  private void killDriver() {
    faults.count("killed driver");
    driver.actor().kill("killed");
    turns.after(null, random.nextLong(SECOND), this::replaceDriver);
  }

  private void replaceDriver() {
    if (!driver.actor().alive()) {
      driver = startDriver();
    }
  }

  private void stop(Actor actor) {
    faults.count("stopped process");
    actor.stop(random.nextLong(random.nextBoolean() ? SECOND / 2 : 3 * SECOND));
  }

  private void cut(ExecutorProcess process) {
    int direction = random.nextInt(3);
    network.cut(process.actor(), direction != 1, direction != 0);
    // one that does not heal lasts until the end of the bad days
    turns.after(null, random.nextLong(3 * SECOND), () -> network.heal(process.actor()));
  }

  private void unmount() {
    faults.count("unmounted store");
    turns.note("store", "is another empty directory");
    store.unmount();
    turns.after(null, random.nextLong(2 * SECOND), store::mount);
  }

  private void away(CrashingMedium medium, String what) {
    boolean readOnly = random.nextBoolean();
    faults.count(readOnly ? "read-only medium" : "lost medium");
    turns.note(what, readOnly ? "is read-only" : "is away");
    medium.mode(readOnly ? CrashingMedium.Mode.READ_ONLY : CrashingMedium.Mode.GONE);
    turns.after(
        null, random.nextLong(2 * SECOND), () -> medium.mode(CrashingMedium.Mode.READ_WRITE));
  }
}
