package io.cairn.lab.cluster;

import io.cairn.engine.coordination.CadenceReports;
import io.cairn.engine.coordination.ExchangeServer;
import io.cairn.engine.coordination.GroupHost;
import io.cairn.engine.coordination.HostContext;
import io.cairn.engine.coordination.HostFactory;
import io.cairn.flush.store.CheckpointStore;
import java.util.concurrent.CompletionStage;

/** The process that coordinates the coupled groups. */
final class DriverProcess {
  private final Actor actor;
  private final ExchangeServer server;

  DriverProcess(Turns turns, Actor actor, Settings settings, CheckpointStore store) {
    this.actor = actor;
    this.server =
        new ExchangeServer(hosts(turns, actor, settings, store), request -> {}, turns::nowNanos);
  }

  /** Makes the hosts of coordinators that live in a process. */
  static HostFactory hosts(Turns turns, Actor actor, Settings settings, CheckpointStore store) {
    HostContext context =
        new HostContext(
            settings.cadence(),
            settings.keep(),
            Settings.JOIN_TIMEOUT,
            store,
            Settings.STORE_PATIENCE,
            actor.name(),
            actor.executor(100_000),
            actor.executorCallingStores("commit", 500_000),
            actor.executorCallingStores("search", 500_000),
            new CadenceReports(),
            turns::nowNanos,
            (nanos, task) -> turns.after(actor, nanos, task));
    return (group, size, outbox) -> new GroupHost(context, group, size, outbox);
  }

  Actor actor() {
    return actor;
  }

  CompletionStage<byte[]> answer(byte[] request) {
    return server.answer(request);
  }
}
