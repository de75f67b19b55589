package io.cairn.lab.study.cluster;

import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.wire.ExchangeRequest;
import io.cairn.core.wire.PeerRequest;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.coordination.CadenceReports;
import io.cairn.engine.coordination.ExchangeServer;
import io.cairn.engine.coordination.HostContext;
import io.cairn.engine.net.Services;
import io.cairn.engine.sharing.desk.SharingDesk;
import io.cairn.flush.store.CheckpointStore;

/** The process that coordinates the coupled groups, and plans shared device memory. */
final class SimulatedDriver {
  private final Actor actor;
  private final SharingDesk desk;
  private final Services services;

  /** Coordinates over a store. */
  SimulatedDriver(Turns turns, Actor actor, Settings settings, CheckpointStore store) {
    this.actor = actor;
    CairnConfig config = settings.config(Settings.CACHE_SLOTS);
    HostContext context =
        HostContext.of(
            config,
            store,
            actor.name(),
            new SimulatedWorkers(turns, actor, settings),
            new CadenceReports(turns::nowNanos),
            turns::nowNanos,
            turns::wallClock);
    this.desk =
        new SharingDesk(
            config.sharing(),
            turns::nowNanos,
            new TurnExecutor(turns, actor, actor.executor(100_000)));
    this.services =
        new Services()
            .with(
                ExchangeRequest.class,
                new ExchangeServer(context.hosts(), desk::learn, turns::nowNanos)::answer)
            .with(PeerRequest.ToDesk.class, desk::answer);
  }

  Actor actor() {
    return actor;
  }

  /** Sends messages of the desk through this from now on. */
  void sendThrough(PeerTransport way) {
    desk.sendThrough(way);
  }

  /** Answers ranks, and the processes that serve their nodes or share. */
  PeerService services() {
    return services;
  }

  /** Learns that a process has ended. */
  void gone(String process) {
    desk.gone(process);
  }
}
