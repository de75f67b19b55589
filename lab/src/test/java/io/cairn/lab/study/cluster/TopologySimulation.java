package io.cairn.lab.study.cluster;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.core.cadence.CadencePlan;
import io.cairn.engine.config.PeerSettings;
import io.cairn.engine.promotion.NodeDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Executor;

/**
 * One seed of one topology: a group with a rank in each process trains, and nothing fails but the
 * machines that are lost. STORE has the first checkpoint only, until the training ends.
 */
final class TopologySimulation {
  /** The count of checkpoints that the group had at PEER, and not at STORE, at the loss. */
  static final String AHEAD = "group ahead at PEER";

  /** The count of groups that sealed something at PEER after the loss. */
  static final String AHEAD_AGAIN = "group sealed at PEER after a loss";

  /** The count of groups that resumed from their last iteration, and had nothing to seal again. */
  static final String AT_ITS_END = "group at its end after a loss";

  private static final long SECOND = 1_000_000_000L;
  private static final long SOON_NANOS = 10 * SECOND;
  private static final long END_NANOS = 120 * SECOND;
  private static final int GOAL = 40;

  private final Topology topology;
  private final Turns turns;
  private final Faults faults;
  private final World world;
  private final Job job;

  /**
   * The machines of a run.
   *
   * @param processes of each machine; a rank trains in each of them
   * @param peer what other machines keep
   * @param lost the machines that are lost at once, by their numbers
   */
  record Topology(List<Integer> processes, PeerSettings peer, Set<Integer> lost) {
    /** Copies the collections. */
    Topology {
      processes = List.copyOf(processes);
      lost = Set.copyOf(lost);
    }

    private int ranks() {
      return processes.stream().mapToInt(each -> each).sum();
    }

    private Settings settings() {
      CadencePlan periods = CadencePlan.every(1, 2, 1_000_000);
      return new Settings(periods, 2, 1 << 20, true, peer, 0, 0, false, Settings.LONG_PATIENCE);
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "%s on machines with %s processes, of which %s are lost",
          peer.scheme(),
          processes,
          lost);
    }
  }

  private TopologySimulation(
      Topology topology, long seed, DeviceMemory device, NodeDirectory home, Executor pool) {
    this.topology = topology;
    this.turns = new Turns(new SplittableRandom(seed).nextLong(), pool);
    this.faults = new Faults(turns.random());
    faults.heal();
    this.world = new World(turns, device, home, faults, topology.settings());
    topology.processes().forEach(world::addMachine);
    this.job = world.addJob("group", topology.ranks(), GOAL, RankPlacement.ONE_EACH);
  }

  /**
   * Runs one seed.
   *
   * @param device with room for the caches of all processes
   * @param home a directory that exists; nothing is written there
   * @param pool a thread for each that asks
   */
  static ClusterSimulation.Result run(
      Topology topology, long seed, DeviceMemory device, NodeDirectory home, Executor pool) {
    TopologySimulation simulation = new TopologySimulation(topology, seed, device, home, pool);
    String violation = "";
    try {
      simulation.run();
    } catch (ViolationException e) {
      violation = topology + ": " + e.getMessage();
    } catch (IllegalStateException e) {
      violation = topology + ": " + e.getCause();
    } finally {
      simulation.world.end();
    }
    return new ClusterSimulation.Result(
        seed, violation, simulation.faults.counts(), simulation.turns.trace());
  }

  private void run() {
    job.startSoon();
    boolean leads = !topology.lost().isEmpty() && trainUntilPeerLeads();
    if (leads) {
      loseMachines();
    }
    turns.runUntil(turns.nowNanos() + END_NANOS, job::done);
    TrueHistory.require(job.done(), "the training does not end");
    if (topology.lost().isEmpty()) {
      requireNoFailure();
      TrueHistory.require(
          turns.nowNanos() < SOON_NANOS, "the training ends late, although nothing was lost");
    } else if (leads && newestAtPeer().epoch() == world.ledger().newestEpoch(job.group())) {
      faults.count(AHEAD_AGAIN);
    } else if (leads && isAtItsEnd()) {
      faults.count(AT_ITS_END);
    }
  }

  /** Whether the last epoch has no iteration but the last one. */
  private boolean isAtItsEnd() {
    long epoch = world.ledger().newestEpoch(job.group());
    return world.ledger().captured(job.group()).stream()
        .filter(id -> id.epoch() == epoch)
        .allMatch(id -> id.iteration() == GOAL - 1);
  }

  private CheckpointId newestAtPeer() {
    return world.ledger().newestAtPeer(job.group()).orElseThrow();
  }

  /** Whether it does; a short training may end before PEER has any checkpoint but the first. */
  private boolean trainUntilPeerLeads() {
    GroupId group = job.group();
    int computed = topology.ranks() * turns.random().nextInt(4, GOAL / 2);
    turns.runUntil(
        SOON_NANOS,
        () -> job.done() || (job.computed() >= computed && world.ledger().isPeerAhead(group)));
    TrueHistory.require(
        world.ledger().newestAtPeer(group).isPresent(), "nothing is sealed at PEER");
    if (job.done() || !world.ledger().isPeerAhead(group)) {
      return false;
    }
    requireNoFailure();
    faults.count(AHEAD);
    return true;
  }

  private void requireNoFailure() {
    TrueHistory.require(
        !world.ledger().hasFailed(job.group(), Level.PEER), "a checkpoint failed at PEER");
  }

  private void loseMachines() {
    world.ledger().losesMachines(job.group());
    List<SimulatedMachine> all = new ArrayList<>(world.machines());
    topology.lost().stream().sorted().forEach(number -> world.lose(all.get(number)));
  }
}
