package io.cairn.lab.study.cluster;

import io.cairn.GroupId;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.engine.promotion.NodeDirectory;
import io.cairn.flush.commit.StoreIdentity;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.testkit.CrashingMedium;
import io.cairn.testkit.CrashingStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The machines, processes and jobs of one seed, and the store that they share. Confined to the
 * thread that has the turn.
 */
final class World {
  private static final long SECOND = 1_000_000_000L;

  private final Turns turns;
  private final SplittableRandom random;
  private final SimulatedDevice device;
  private final NodeDirectory home;
  private final Faults faults;
  private final Settings settings;
  private final TrueHistory ledger;
  private final CrashingMedium store;
  private final RandomNames names = new RandomNames();
  private final Network network;
  private final PeerNetwork peers;
  private final List<SimulatedMachine> machines = new ArrayList<>();
  private final List<ExecutorProcess> executors = new ArrayList<>();
  private final List<CrashingStore> open = new ArrayList<>();
  private final List<Job> jobs = new ArrayList<>();
  private SimulatedDriver driver;
  private int processes;

  /**
   * A driver, a store with a name, and no machine yet.
   *
   * @param device with room for the caches of all processes
   * @param home a directory that exists; nothing is written there
   */
  World(Turns turns, DeviceMemory device, NodeDirectory home, Faults faults, Settings settings) {
    this.turns = turns;
    this.random = turns.random();
    this.device = new SimulatedDevice(turns, device);
    this.home = home;
    this.faults = faults;
    this.settings = settings;
    this.store = new CrashingMedium(random.nextLong());
    this.ledger =
        new TrueHistory(
            settings.nodesServed(),
            settings.layered(),
            (group, epoch) -> CheckpointFiles.isClaimed(store, group, epoch));
    name(store, home);
    this.network = new Network(turns, this::driver, faults);
    this.peers = new PeerNetwork(turns, this::driver, network, faults, this.device);
    this.driver = startDriver();
  }

  /** Every process knows the name. */
  private static void name(CrashingMedium store, NodeDirectory home) {
    try {
      String unused = StoreIdentity.give(new CrashingStore(store, 0), home.identity());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  TrueHistory ledger() {
    return ledger;
  }

  CrashingMedium store() {
    return store;
  }

  Network network() {
    return network;
  }

  List<SimulatedMachine> machines() {
    return machines;
  }

  List<ExecutorProcess> executors() {
    return executors;
  }

  List<Job> jobs() {
    return jobs;
  }

  SimulatedDriver driver() {
    return driver;
  }

  /** A further machine, on which so many processes start. */
  void addMachine(int processesThere) {
    SimulatedMachine machine = new SimulatedMachine("m" + machines.size(), processesThere, random);
    machines.add(machine);
    startExecutors(machine);
  }

  /** A further job, not begun. */
  Job addJob(String name, int size, int goal, RankPlacement placement) {
    GroupId group = new GroupId("job", name);
    Job job = new Job(turns, ledger, () -> executors, placement, group, size, goal);
    jobs.add(job);
    return job;
  }

  private CheckpointStore open(Actor actor, CrashingMedium medium, TurningStore.Watch watch) {
    CrashingStore opened = new CrashingStore(medium, random.nextLong());
    opened.failRandomly(faults.storeFault());
    open.add(opened);
    actor.atDeath(opened::kill);
    return new TurningStore(turns, actor, opened, names, watch);
  }

  private SimulatedDriver startDriver() {
    Actor actor = new Actor(turns, "driver" + processes++);
    SimulatedDriver started =
        new SimulatedDriver(turns, actor, settings, open(actor, store, TurningStore.UNWATCHED));
    started.sendThrough(peers.ofDriver(actor));
    return started;
  }

  /** Another driver takes the place of one that died. */
  void replaceDriver() {
    if (!driver.actor().alive()) {
      driver = startDriver();
    }
  }

  /** As many processes start at a machine as it has when all is well. */
  void startExecutors(SimulatedMachine machine) {
    for (int i = 0; i < machine.processes(); i++) {
      startExecutor(machine);
    }
  }

  /** A process starts at a machine. */
  void startExecutor(SimulatedMachine machine) {
    Actor actor = new Actor(turns, "p" + processes++ + "-" + machine.name());
    CheckpointStore node =
        open(actor, machine.node(), new NodeWatch(turns, ledger, machine, store));
    CheckpointStore shared = open(actor, store, TurningStore.UNWATCHED);
    ExecutorProcess.Places places =
        new ExecutorProcess.Places(
            device, home.seenAs(shared), node, shared, settings.drawSlots(random));
    ExecutorProcess.Ways ways = new ExecutorProcess.Ways(network, peers);
    executors.add(new ExecutorProcess(turns, actor, machine, places, settings, ways));
  }

  /** A process dies. */
  void kill(ExecutorProcess process, String reason) {
    executors.remove(process);
    process.actor().kill(reason);
    jobs.forEach(job -> job.lost(process.actor()));
    if (settings.sharing()) {
      String name = process.actor().name();
      turns.after(null, random.nextLong(SECOND), () -> driver.gone(name));
    }
  }

  /** The processes at a machine die, and it stays without one. */
  void killAll(SimulatedMachine machine, String reason) {
    for (ExecutorProcess process : List.copyOf(executors)) {
      if (process.machine() == machine) {
        kill(process, reason);
      }
    }
  }

  /** A machine is lost with all its processes; another one takes its place within a second. */
  void lose(SimulatedMachine machine) {
    faults.count("lost machine");
    turns.note(machine.name(), "is lost");
    machine.lose();
    killAll(machine, "its machine is lost");
    turns.after(null, random.nextLong(SECOND), () -> startExecutors(machine));
  }

  /** All processes end, others take their places, and all jobs run again. */
  void restart() {
    List.copyOf(executors).forEach(process -> kill(process, "end of the job"));
    driver.actor().kill("end of the job");
    driver = startDriver();
    machines.forEach(this::startExecutors);
    jobs.forEach(Job::again);
  }

  /** From now on nothing fails. */
  void heal() {
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

  /** The bytes that living processes have promised to write to STORE for others. */
  long promisedBytes() {
    return executors.stream().mapToLong(ExecutorProcess::promisedBytes).sum();
  }

  /** The slots that living processes lend. */
  int lentSlots() {
    return executors.stream().mapToInt(ExecutorProcess::lentSlots).sum();
  }

  /** Ends all processes and threads. */
  void end() {
    executors.forEach(process -> process.actor().kill("end"));
    driver.actor().kill("end");
    turns.endThreads();
  }
}
