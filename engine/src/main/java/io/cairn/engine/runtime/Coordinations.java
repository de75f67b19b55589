package io.cairn.engine.runtime;

import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.coordination.CadenceReports;
import io.cairn.engine.coordination.Coordination;
import io.cairn.engine.coordination.ExchangeServer;
import io.cairn.engine.coordination.GroupHost;
import io.cairn.engine.coordination.HostContext;
import io.cairn.engine.coordination.HostFactory;
import io.cairn.engine.coordination.HttpAddress;
import io.cairn.engine.coordination.HttpCoordination;
import io.cairn.engine.coordination.LocalCoordination;
import java.util.Optional;

/**
 * The ways of a process's ranks to their coordinators. A group of one is coordinated here. A
 * coupled group is coordinated where the processes of its ranks meet, or here if they do not.
 * Thread-safe.
 */
final class Coordinations implements AutoCloseable {
  private final Coordination local;
  private final Optional<HttpCoordination> meeting;
  private volatile Coordination coupled;

  /** Starts no thread; coordinators of this process work on those of its environment. */
  Coordinations(Levels levels, CadenceReports reports) {
    HostContext context = context(levels, reports);
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
                        new ExchangeServer(hosts, request -> {}, context.nanoTime())));
    this.coupled = meeting.<Coordination>map(way -> way).orElse(local);
  }

  private static HostContext context(Levels levels, CadenceReports reports) {
    CairnConfig config = levels.config();
    Environment environment = levels.environment();
    Workers workers = environment.workers();
    return new HostContext(
        config.cadence(),
        config.retention(),
        config.joinTimeout(),
        levels.store(),
        config.storePatience(),
        environment.process(),
        workers.events(),
        workers.storing(),
        workers.searching(),
        reports,
        environment.nanoTime(),
        environment.clock(),
        workers.alarm());
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
