package io.cairn.lab.study.cluster;

import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.coordination.HostContext;
import io.cairn.engine.nodes.NodeThreads;
import io.cairn.engine.runtime.Workers;
import io.cairn.engine.sharing.SharingThreads;
import io.cairn.flush.pipeline.Stage;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;

/** The threads of a simulated process, which end when it is killed. */
final class SimulatedWorkers implements Workers, HostContext.Threads {
  private static final String STORE = "store";
  private static final String STAGING = "staging";

  /** The pause between two registrations at the desk, if processes write to STORE for others. */
  private static final long STAGED_REGISTERED_NANOS = 500_000_000;

  private final Turns turns;
  private final Actor actor;
  private final boolean staged;
  private final boolean sharing;
  private final PeerWaits nodeWaits;
  private final Map<String, Stage> stages = new HashMap<>();

  /**
   * None has begun.
   *
   * @param settings of all processes
   */
  SimulatedWorkers(Turns turns, Actor actor, Settings settings) {
    this.turns = turns;
    this.actor = actor;
    this.staged = settings.staged();
    this.sharing = settings.sharing();
    this.nodeWaits = new PeerWaits(turns, actor);
  }

  /** The time that the present thread has waited for other nodes so far. */
  long waitedForNodesNanos() {
    return nodeWaits.waitedNanos();
  }

  /** The bytes that the process has promised to write to STORE for others. */
  long promisedBytes() {
    Stage staging = stages.get(STAGING);
    return staging == null ? 0 : staging.queuedBytes();
  }

  /** The device copies at once, so captures end on the thread that asks. */
  @Override
  public Executor captures() {
    return Runnable::run;
  }

  @Override
  public HostContext.Threads coordinators() {
    return this;
  }

  @Override
  public Executor events() {
    return actor.executor(100_000);
  }

  @Override
  public Executor storing() {
    return actor.executorCallingStores("commit", 500_000);
  }

  @Override
  public Executor searching() {
    return actor.executorCallingStores("search", 500_000);
  }

  @Override
  public HostContext.Alarm alarm() {
    return (nanos, task) -> turns.after(actor, nanos, task);
  }

  @Override
  public Stage stage(String name, long maxQueuedBytes, int threads) {
    Stage stage = Stage.on(thread(name), name, maxQueuedBytes);
    stages.put(name, stage);
    return stage;
  }

  private Executor thread(String name) {
    return switch (name) {
      case "node" ->
          sharing
              ? actor.executorThatWaits(name, 2_000_000)
              : actor.executorCallingStores(name, 2_000_000);
      case STORE ->
          staged || sharing
              ? actor.executorThatWaits(name, 10_000_000)
              : actor.executorCallingStores(name, 10_000_000);
      case STAGING, "keeper" -> actor.executorThatWaits(name, 500_000);
      default -> actor.executorThatWaits(name, 2_000_000);
    };
  }

  @Override
  public NodeThreads ofNode(CairnConfig config) {
    return new NodeThreads(
        nodeWaits,
        turns::nowNanos,
        actor.executorCallingStores("server", 500_000),
        stage("keeper", config.queueBytes(), 1),
        stage(STAGING, config.queueBytes(), 1),
        this::repeat,
        () -> {});
  }

  @Override
  public SharingThreads ofSharing() {
    return new SharingThreads(
        turns::nowNanos,
        new VirtualWaits(turns, actor),
        name -> new TurnExecutor(turns, actor, threadOfSharing(name)));
  }

  private Executor threadOfSharing(String name) {
    return switch (name) {
      case "cairn-move" -> actor.executorThatWaits(name, 500_000);
      case "cairn-lease-node" -> actor.executorCallingStores(name, 2_000_000);
      default -> actor.executor(100_000);
    };
  }

  /** Processes live for seconds; those with staging servers learn of each other before they die. */
  private void repeat(Runnable task, Duration pause) {
    long pauseNanos = staged ? Math.min(pause.toNanos(), STAGED_REGISTERED_NANOS) : pause.toNanos();
    actor.start(
        "register",
        () -> {
          while (true) {
            task.run();
            turns.await(null, pauseNanos);
          }
        });
  }

  @Override
  public void endCaptures(long endNanos) {
    throw new UnsupportedOperationException("simulated processes are killed");
  }

  @Override
  public void endCoordination(long endNanos) {
    throw new UnsupportedOperationException("simulated processes are killed");
  }
}
