package io.cairn.lab.study.cluster;

import io.cairn.CairnEvent;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.nodes.NodePeer;
import io.cairn.engine.nodes.NodeThreads;
import io.cairn.engine.promotion.NodeGroups;
import io.cairn.engine.session.Planners;
import io.cairn.flush.pipeline.Stage;
import io.cairn.flush.restore.CopySource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** A process among those that serve their nodes, on simulated threads. */
final class NodeService {
  /**
   * By the number of nodes with staging servers. The parts that this uses: that number, the job's
   * name, and the bounds of chunks and of copies for others.
   */
  private static final List<CairnConfig> CONFIGS =
      IntStream.rangeClosed(0, Settings.MOST_STAGING_NODES).mapToObj(NodeService::config).toList();

  /** The pause between two registrations at the desk, if processes write to STORE for others. */
  private static final long STAGED_REGISTERED_NANOS = 500_000_000;

  private final Turns turns;
  private final Actor actor;
  private final PeerNetwork network;
  private final PeerWaits waits;
  private final NodeGroups groups;
  private final Consumer<CairnEvent> events;
  private final Stage staging;
  private final long registeredNanos;
  private final NodePeer peer;

  NodeService(
      Turns turns,
      Actor actor,
      SimulatedMachine machine,
      PeerNetwork network,
      NodePeer.Places places,
      NodeGroups groups,
      Settings settings,
      Consumer<CairnEvent> events) {
    this.turns = turns;
    this.actor = actor;
    this.network = network;
    this.waits = new PeerWaits(turns, actor);
    this.groups = groups;
    this.events = events;
    CairnConfig config = CONFIGS.get(settings.stagingNodes());
    this.registeredNanos = settings.staged() ? STAGED_REGISTERED_NANOS : Long.MAX_VALUE;
    this.staging =
        Stage.on(actor.executorThatWaits("staging", 500_000), "staging", settings.queueBytes());
    NodeThreads threads =
        new NodeThreads(
            waits,
            turns::nowNanos,
            actor.executorCallingStores("server", 500_000),
            Stage.on(actor.executorThatWaits("keeper", 500_000), "keeper", config.queueBytes()),
            staging,
            this::repeat,
            () -> {});
    try {
      this.peer =
          new NodePeer(
              config,
              places,
              actor.name(),
              machine.name() + "-" + machine.losses(),
              PeerNetwork.DESK,
              network.from(actor, machine),
              this::note,
              threads);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static CairnConfig config(int stagingNodes) {
    return CairnConfig.of(
        Map.of(
            "job",
            "job",
            "store",
            "/of-a-simulation",
            "chunkSize",
            "4k",
            "staging",
            String.valueOf(stagingNodes)));
  }

  private void note(CairnEvent event) {
    if (event instanceof CairnEvent.StagedForOthers) {
      network.staged();
    }
    events.accept(event);
  }

  /** Processes live for seconds; those with staging servers learn of each other before they die. */
  private void repeat(Runnable task, Duration pause) {
    long pauseNanos = Math.min(pause.toNanos(), registeredNanos);
    actor.start(
        "register",
        () -> {
          while (true) {
            task.run();
            turns.await(null, pauseNanos);
          }
        });
  }

  /** The copies of a rank at other nodes: their own, and those that they keep for others. */
  CopySource copies(Level level, Member member) {
    return peer.copies(level, member, groups::birth);
  }

  /** The copies of a rank that are computed from parities and from other ranks' data. */
  CopySource rebuilt(Member member) {
    return peer.rebuilt(Level.PEER, member, groups::birth);
  }

  /** The nodes that a restore may wait for. */
  Planners.Nodes served() {
    return new Planners.Nodes() {
      @Override
      public String own() {
        return peer.node();
      }

      @Override
      public boolean isReached(String node) {
        return peer.isReached(node);
      }

      @Override
      public Duration patience() {
        return Settings.NODE_PATIENCE;
      }
    };
  }

  /** The bytes that this process has promised to write to STORE for others. */
  long promisedBytes() {
    return staging.queuedBytes();
  }

  /** The costs so far, of the thread that has the turn. */
  PeerCost cost() {
    return new PeerCost(
        waits.waitedNanos(),
        network.answeredNanos(actor),
        actor.stoppedNanos(),
        network.silentPeers(actor),
        network.askedAgain(actor));
  }
}
