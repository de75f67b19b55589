package io.cairn.engine.runtime;

import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.coordination.CadenceReports;
import io.cairn.engine.coordination.Coordination;
import io.cairn.engine.coordination.CoordinatorThreads;
import io.cairn.engine.coordination.ExchangeServer;
import io.cairn.engine.coordination.GroupHost;
import io.cairn.engine.coordination.HostContext;
import io.cairn.engine.coordination.HostFactory;
import io.cairn.engine.coordination.HttpAddress;
import io.cairn.engine.coordination.HttpCoordination;
import io.cairn.engine.coordination.LocalCoordination;
import java.lang.management.ManagementFactory;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The ways of a process's ranks to their coordinators. A group of one is coordinated here. A
 * coupled group is coordinated where the processes of its ranks meet, or here if they do not.
 * Thread-safe.
 */
final class Coordinations implements AutoCloseable {
  private final Coordination local;
  private final Optional<HttpCoordination> meeting;
  private volatile Coordination coupled;

  /** Starts no thread; coordinators of this process work on these. */
  Coordinations(
      Levels levels, CoordinatorThreads threads, CadenceReports reports, LongSupplier nanoTime) {
    HostContext context = context(levels, threads, reports, nanoTime);
    HostFactory hosts = (group, size, outbox) -> new GroupHost(context, group, size, outbox);
    this.local = new LocalCoordination(hosts);
    this.meeting =
        levels
            .config()
            .coordinator()
            .map(
                where ->
                    new HttpCoordination(
                        new HttpAddress(where.host(), where.port(), where.secret()),
                        new ExchangeServer(hosts, request -> {}, nanoTime)));
    this.coupled = meeting.<Coordination>map(way -> way).orElse(local);
  }

  private static HostContext context(
      Levels levels, CoordinatorThreads threads, CadenceReports reports, LongSupplier nanoTime) {
    CairnConfig config = levels.config();
    return new HostContext(
        config.cadence(),
        config.retention(),
        config.joinTimeout(),
        levels.store(),
        config.storePatience(),
        "process " + ManagementFactory.getRuntimeMXBean().getName(),
        threads.events(),
        threads.storing(),
        threads.searching(),
        reports,
        nanoTime,
        InstantSource.system(),
        HostContext.Alarm.REAL);
  }

  /** The way of a rank to the coordinator of its group of {@code size} ranks. */
  Coordination of(int size) {
    return size == 1 ? local : coupled;
  }

  /** Replaces the way of coupled groups, for joins from now on. */
  void coupledBy(Coordination other) {
    coupled = other;
  }

  /** Sends the last messages to other processes, and ends hosting coordinators for them. */
  @Override
  public void close() {
    meeting.ifPresent(HttpCoordination::close);
  }
}
