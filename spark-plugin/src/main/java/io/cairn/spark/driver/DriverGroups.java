package io.cairn.spark.driver;

import io.cairn.GroupId;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.wire.ExchangeRequest;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.coordination.CadenceReports;
import io.cairn.engine.coordination.CoordinatorThreads;
import io.cairn.engine.coordination.ExchangeServer;
import io.cairn.engine.coordination.GroupHost;
import io.cairn.engine.coordination.HostContext;
import io.cairn.engine.sharing.desk.SharingDesk;
import io.cairn.flush.store.CheckpointStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Supplier;

/** The coordinators of coupled groups, in the driver. Thread-safe. */
final class DriverGroups {
  /** Spark waits for the driver's part, and a store that hangs must not keep an application. */
  private static final Duration MOST_WAIT = Duration.ofSeconds(10);

  private final CoordinatorThreads threads = new CoordinatorThreads(System::nanoTime);
  private final CairnConfig config;
  private final CheckpointStore store;
  private final SharingDesk desk;
  private final BarrierStages barriers;
  private final CadenceReports reports;
  private final Supplier<String> application;
  private final ExchangeServer server;

  /**
   * No group yet.
   *
   * @param desk learns of every request
   * @param reports receives those of all groups
   * @param application its name for messages, once Spark has told it
   */
  DriverGroups(
      CairnConfig config,
      CheckpointStore store,
      SharingDesk desk,
      BarrierStages barriers,
      CadenceReports reports,
      Supplier<String> application) {
    this.config = config;
    this.store = store;
    this.desk = desk;
    this.barriers = barriers;
    this.reports = reports;
    this.application = application;
    server = new ExchangeServer(this::host, this::arrived, System::nanoTime);
  }

  /** Answers the requests of executors. */
  ExchangeServer server() {
    return server;
  }

  private void arrived(ExchangeRequest request) {
    desk.learn(request);
    if (request instanceof ExchangeRequest.Send send) {
      send.messages().stream()
          .filter(sent -> sent.message() instanceof MemberMessage.Join && sent.size() > 1)
          .forEach(sent -> barriers.joined(sent.group()));
    }
  }

  private GroupHost host(GroupId group, int size, GroupHost.Outbox outbox) {
    return HostContext.of(
            config,
            store,
            application.get(),
            threads,
            reports,
            System::nanoTime,
            InstantSource.system())
        .hosts()
        .host(group, size, outbox);
  }

  /** Waits: the last ranks of a group have left, and its end may not be marked yet. */
  void end() {
    long wait = Math.min(MOST_WAIT.toNanos(), config.closeTimeout().toNanos());
    threads.end(System.nanoTime() + wait);
  }
}
