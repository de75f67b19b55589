package io.cairn.lab.study.cluster;

import io.cairn.core.flow.LocalOnlyScheduler;
import io.cairn.core.flow.Topology;
import io.cairn.core.peer.PeerService;
import io.cairn.core.sharing.DeskTerms;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.coordination.CadenceReports;
import io.cairn.engine.coordination.ExchangeServer;
import io.cairn.engine.coordination.GroupHost;
import io.cairn.engine.coordination.HostContext;
import io.cairn.engine.coordination.HostFactory;
import io.cairn.engine.sharing.desk.DeskHost;
import io.cairn.flush.store.CheckpointStore;
import java.util.concurrent.CompletionStage;

/** The process that coordinates the coupled groups. */
final class SimulatedDriver {
  private final Actor actor;
  private final ExchangeServer server;
  private final PeerService desk;

  SimulatedDriver(Turns turns, Actor actor, Settings settings, CheckpointStore store) {
    this.actor = actor;
    this.server =
        new ExchangeServer(hosts(turns, actor, settings, store), request -> {}, turns::nowNanos);
    // nobody shares device memory, so this desk starts no thread
    this.desk =
        new DeskHost(
                new DeskTerms(1, 1, 1),
                sites -> Topology.uniform(sites.size(), 1, 1),
                new LocalOnlyScheduler(false),
                turns::nowNanos)
            .service((holder, message) -> {});
  }

  private static HostFactory hosts(
      Turns turns, Actor actor, Settings settings, CheckpointStore store) {
    CairnConfig config = settings.config();
    SimulatedWorkers workers = new SimulatedWorkers(turns, actor, settings.staged());
    HostContext context =
        new HostContext(
            config.cadence(),
            config.retention(),
            config.joinTimeout(),
            store,
            config.storePatience(),
            actor.name(),
            workers.events(),
            workers.storing(),
            workers.searching(),
            new CadenceReports(turns::nowNanos),
            turns::nowNanos,
            turns::wallClock,
            workers.alarm());
    return (group, size, outbox) -> new GroupHost(context, group, size, outbox);
  }

  Actor actor() {
    return actor;
  }

  /** Knows the processes that serve their nodes. */
  PeerService desk() {
    return desk;
  }

  CompletionStage<byte[]> answer(byte[] request) {
    return server.answer(request);
  }
}
