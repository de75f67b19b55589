package io.cairn.engine.runtime;

import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerLimits;
import io.cairn.core.wire.ExchangeRequest;
import io.cairn.core.wire.PeerRequest;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.config.CoordinatorSettings;
import io.cairn.engine.coordination.CadenceReports;
import io.cairn.engine.coordination.Coordination;
import io.cairn.engine.coordination.ExchangeServer;
import io.cairn.engine.coordination.HostContext;
import io.cairn.engine.coordination.HostFactory;
import io.cairn.engine.coordination.LocalCoordination;
import io.cairn.engine.coordination.MeetingCoordination;
import io.cairn.engine.net.OwnAddress;
import io.cairn.engine.net.PeerSecret;
import io.cairn.engine.net.Services;
import io.cairn.engine.net.TcpPeerTransport;
import io.cairn.engine.sharing.desk.SharingDesk;
import java.io.IOException;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ways of a process's ranks to their coordinators. A group of one is coordinated here. A
 * coupled group is coordinated where the processes of its ranks meet, or here if they do not.
 * Thread-safe.
 */
final class Coordinations implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Coordinations.class);

  /** Ports that are tried after the first: the processes of one machine begin there together. */
  private static final int PORT_RETRIES = 32;

  private final Coordination local;
  private final CairnConfig config;
  private final ProcessRanks ranks;
  private final Predicate<MeetingProcess> meets;
  private final Optional<SharingDesk> desk;
  private final Optional<MeetingCoordination> meeting;

  /** Whether this process could not share all that it is to, and may try again. */
  private final AtomicBoolean apart = new AtomicBoolean();

  private volatile Coordination coupled;

  /**
   * Starts no thread; coordinators of this process work on those of its environment.
   *
   * @param ranks of this process
   * @param meets as {@link CairnEngine#meet}
   */
  Coordinations(
      Levels levels, CadenceReports reports, ProcessRanks ranks, Predicate<MeetingProcess> meets) {
    this.config = levels.config();
    this.ranks = ranks;
    this.meets = meets;
    Environment environment = levels.environment();
    LongSupplier nanoTime = environment.nanoTime();
    HostFactory hosts =
        HostContext.of(
                config,
                levels.store(),
                environment.process(),
                environment.workers().coordinators(),
                reports,
                nanoTime,
                environment.clock())
            .hosts();
    this.local = new LocalCoordination(hosts);
    this.desk = config.coordinator().map(where -> new SharingDesk(config.sharing(), nanoTime));
    this.meeting =
        desk.map(
            planning ->
                meeting(
                    config.coordinator().orElseThrow(),
                    planning,
                    new ExchangeServer(hosts, planning::learn, nanoTime)));
    this.coupled = meeting.<Coordination>map(way -> way).orElse(local);
  }

  private MeetingCoordination meeting(
      CoordinatorSettings where, SharingDesk planning, ExchangeServer server) {
    return new MeetingCoordination(
        new MeetingCoordination.Meeting(
            new PeerAddress(where.host(), where.port()),
            where.secret(),
            ranks::node,
            () -> config.sharing().on() ? DeviceLinks.ofMachine() : "",
            server,
            new Services()
                .with(ExchangeRequest.class, server::answer)
                .with(PeerRequest.ToDesk.class, planning::answer),
            planning::sendThrough,
            () -> {
              meetAgain();
              ranks.announceNode();
            }));
  }

  /**
   * Shares device memory with the other processes that meet, serves this node to them, and reads
   * theirs, unless this process meets nobody or shares nothing. A process that cannot checkpoints
   * all the same, and tries again when a rank joins, and when its ranks have found a host.
   */
  void meetOthers() {
    CoordinatorSettings where = config.coordinator().orElse(null);
    if (where == null || !(config.sharing().on() || config.nodeServe())) {
      return;
    }
    try {
      String host =
          config.network().isPresent()
              ? OwnAddress.in(config.network().get())
              : OwnAddress.facing(where.host());
      meeting.ifPresent(MeetingCoordination::hostIfFree);
      MeetingProcess self =
          new MeetingProcess(
              UUID.randomUUID().toString(),
              host,
              config.device().gpu(),
              new PeerAddress(where.host(), where.port()),
              service ->
                  TcpPeerTransport.openWithin(
                      host,
                      config.sharing().port(),
                      PORT_RETRIES,
                      PeerSecret.of(where.secret()),
                      service,
                      PeerLimits.DEFAULT),
              () -> meeting.ifPresent(MeetingCoordination::hostForNodes));
      apart.set(!meets.test(self));
    } catch (IOException e) {
      apart.set(true);
      LOG.error("This process shares neither device memory nor the copies at its node", e);
    }
  }

  private void meetAgain() {
    if (apart.compareAndSet(true, false)) {
      meetOthers();
    }
  }

  /** The way of a rank to the coordinator of its group of {@code size} ranks. */
  Coordination of(int size) {
    meetAgain();
    return size == 1 ? local : coupled;
  }

  /** Replaces the way of coupled groups, for joins from now on. */
  void coupledBy(Coordination other) {
    coupled = other;
  }

  /** Sends the last messages to other processes, and ends hosting coordinators for them. */
  @Override
  public void close() {
    meeting.ifPresent(MeetingCoordination::close);
    desk.ifPresent(SharingDesk::close);
  }
}
