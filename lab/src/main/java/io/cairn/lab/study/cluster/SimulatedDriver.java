package io.cairn.lab.study.cluster;

import io.cairn.core.flow.ParametricFlowScheduler;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerService;
import io.cairn.core.sharing.DeskTerms;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.coordination.CadenceReports;
import io.cairn.engine.coordination.ExchangeServer;
import io.cairn.engine.coordination.GroupHost;
import io.cairn.engine.coordination.HostContext;
import io.cairn.engine.coordination.HostFactory;
import io.cairn.engine.sharing.desk.DeskHost;
import io.cairn.engine.sharing.desk.SiteTopology;
import io.cairn.flush.store.CheckpointStore;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;

/** The process that coordinates the coupled groups. */
final class SimulatedDriver {
  private static final long WINDOW_NANOS = 10_000_000;
  private static final int MOST_WINDOWS = 100;
  private static final int MOST_REPORTS = 1_000;

  private final Actor actor;
  private final ExchangeServer server;
  private final DeskHost host;
  private final PeerService desk;

  /**
   * Coordinates over a store.
   *
   * @param sending sends a message of the desk to a process
   */
  SimulatedDriver(
      Turns turns,
      Actor actor,
      Settings settings,
      CheckpointStore store,
      BiConsumer<PeerAddress, byte[]> sending) {
    this.actor = actor;
    this.server =
        new ExchangeServer(hosts(turns, actor, settings, store), request -> {}, turns::nowNanos);
    this.host =
        new DeskHost(
            new DeskTerms(WINDOW_NANOS, 2 * WINDOW_NANOS, MOST_WINDOWS, MOST_REPORTS),
            new SiteTopology(Optional.empty(), false),
            new ParametricFlowScheduler(true, false),
            turns::nowNanos,
            new TurnExecutor(turns, actor, actor.executor(100_000)));
    this.desk = host.service(sending);
  }

  private static HostFactory hosts(
      Turns turns, Actor actor, Settings settings, CheckpointStore store) {
    CairnConfig config = settings.config(Settings.CACHE_SLOTS);
    SimulatedWorkers workers = new SimulatedWorkers(turns, actor, settings);
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

  /** Learns that a process has ended. */
  void gone(String process) {
    host.gone(process);
  }

  CompletionStage<byte[]> answer(byte[] request) {
    return server.answer(request);
  }
}
