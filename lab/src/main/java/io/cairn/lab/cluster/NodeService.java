package io.cairn.lab.cluster;

import io.cairn.core.model.Level;
import io.cairn.core.model.Member;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.events.CairnEvent;
import io.cairn.engine.nodes.NodePeer;
import io.cairn.engine.nodes.NodeThreads;
import io.cairn.engine.nodes.Partners;
import io.cairn.engine.nodes.StagingServers;
import io.cairn.engine.promotion.NodeGroups;
import io.cairn.flush.pipeline.Stage;
import io.cairn.flush.restore.CopySource;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

/** A process among those that serve their nodes, on simulated threads. */
final class NodeService {
  /** The parts that this uses: the job's name, and the bounds of copies for others. */
  private static final CairnConfig CONFIG =
      CairnConfig.of(Map.of("job", "job", "store", "/of-a-simulation"));

  private final Turns turns;
  private final Actor actor;
  private final PeerNetwork network;
  private final PeerWaits waits;
  private final NodeGroups groups;
  private final NodePeer peer;

  NodeService(
      Turns turns,
      Actor actor,
      Machine machine,
      PeerNetwork network,
      CheckpointStore node,
      NodeGroups groups,
      Partners partners,
      Consumer<CairnEvent> events) {
    this.turns = turns;
    this.actor = actor;
    this.network = network;
    this.waits = new PeerWaits(turns, actor);
    this.groups = groups;
    NodeThreads threads =
        new NodeThreads(
            waits,
            turns::nowNanos,
            actor.executorCallingStores("server", 500_000),
            Stage.on(actor.executorThatWaits("keeper", 500_000), "keeper", CONFIG.queueBytes()),
            Stage.on(actor.executorThatWaits("staging", 500_000), "staging", CONFIG.queueBytes()),
            this::repeat,
            () -> {});
    try {
      this.peer =
          new NodePeer(
              CONFIG,
              new NodePeer.Places(
                  node,
                  node, // nobody stages
                  partners,
                  new StagingServers(0, turns::nowNanos)),
              actor.name(),
              machine.name() + "-" + machine.losses(),
              PeerNetwork.DESK,
              network.from(actor, machine),
              events,
              threads);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void repeat(Runnable task, Duration pause) {
    actor.start(
        "register",
        () -> {
          while (true) {
            task.run();
            turns.await(null, pause.toNanos());
          }
        });
  }

  /** The copies of a rank at other nodes: their own, and those that they keep for others. */
  CopySource copies(Level level, Member member) {
    return peer.copies(level, member, groups::birth);
  }

  /** The copies of a rank that are computed from parities and from other ranks' data. */
  CopySource rebuilt(Member member) {
    return peer.rebuilt(member, groups::birth);
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
