package io.cairn.engine.coordination;

import io.cairn.Member;
import io.cairn.RestoreException;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerLimits;
import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.peer.Refusal;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.engine.net.PeerSecret;
import io.cairn.engine.net.TcpPeerClient;
import io.cairn.engine.net.TcpPeerTransport;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Coordinates groups whose ranks run in several processes without Spark. The processes meet at one
 * address. The first that can bind it hosts the coordinators and the desk, until it ends. Then the
 * next that joins there hosts them, or that misses the desk and has no rank there. Thread-safe;
 * threads are daemons.
 */
public final class MeetingCoordination implements Coordination, AutoCloseable {
  /*
   * The host's end
   *
   * Coordinators hold nothing beyond the store. Processes without a host keep training, log a
   * warning and ask again. The next host does not know them, so their ranks are fenced, join again,
   * and the group begins a new epoch.
   *
   * The next host's desk knows no process either, and a restore reads from those that it knows. So
   * each process registers at the desk of a host before its ranks join there.
   */
  private static final Logger LOG = LoggerFactory.getLogger(MeetingCoordination.class);

  private static final Duration LINGER = Duration.ofSeconds(3);
  private static final long LINGER_STEP_MILLIS = 10;

  private final Meeting meeting;
  private final LongSupplier nanoTime;
  private final Waits waits;
  private @Nullable TcpPeerTransport hosted;
  private @Nullable RemoteCoordination remote;
  private @Nullable TcpPeerClient client;
  private boolean closed;

  /**
   * Where and how processes meet.
   *
   * @param secret that all of them share; empty for that of the user
   * @param node the machine and the node directory of this process; empty if it serves none
   * @param links between the machine's devices, asked for when the first rank connects; empty if
   *     unknown
   * @param server coordinates if this process hosts
   * @param service answers all questions if this process hosts, those to the server included
   * @param hosts receives the way to the other processes when this process hosts
   * @param announce registers this process at the desk; may wait for some seconds
   */
  public record Meeting(
      PeerAddress address,
      Optional<String> secret,
      Supplier<String> node,
      Supplier<String> links,
      ExchangeServer server,
      PeerService service,
      Consumer<PeerTransport> hosts,
      Runnable announce) {}

  /** A coordination that neither hosts nor connects before it is asked to. */
  public MeetingCoordination(Meeting meeting) {
    this(meeting, System::nanoTime, Waits.REAL);
  }

  /**
   * Likewise, in this time.
   *
   * @param waits how {@link #close} waits
   */
  MeetingCoordination(Meeting meeting, LongSupplier nanoTime, Waits waits) {
    this.meeting = meeting;
    this.nanoTime = nanoTime;
    this.waits = waits;
  }

  /**
   * Connects a rank, and hosts the coordinators if no process does.
   *
   * @throws RestoreException naming the reason, if this process can connect to nobody now
   * @throws IllegalStateException after {@link #close}
   */
  @Override
  public Link connect(Member member, String incarnation, Consumer<CoordinatorMessage> inbox) {
    RemoteCoordination connected;
    synchronized (this) { // whoever sees that this process hosts may close it at once
      connected = connected();
      hostIfFree();
    }
    return connected.connect(member, incarnation, inbox);
  }

  private synchronized RemoteCoordination connected() {
    if (closed) {
      throw new IllegalStateException("the coordination at " + meeting.address() + " is closed");
    }
    RemoteCoordination connected = remote;
    if (connected == null) {
      connected =
          new RemoteCoordination(
              UUID.randomUUID().toString(),
              meeting.node().get(),
              meeting.links().get(),
              new ToHost(client()));
      remote = connected;
    }
    return connected;
  }

  private TcpPeerClient client() {
    TcpPeerClient known = client;
    if (known == null) {
      try {
        known = new TcpPeerClient(PeerSecret.of(meeting.secret()), PeerLimits.DEFAULT);
      } catch (IOException e) {
        throw (RestoreException)
            new RestoreException(
                    "no way to the coordinator at %s: %s"
                        .formatted(meeting.address(), Refusal.of(e)))
                .initCause(e);
      }
      client = known;
    }
    return known;
  }

  /** Hosts coordinators and desk, if no process does, and this coordination is not closed. */
  public synchronized void hostIfFree() {
    if (hosted == null && !closed) {
      PeerAddress at = meeting.address();
      try {
        hosted =
            TcpPeerTransport.open(
                at.host(),
                at.port(),
                PeerSecret.of(meeting.secret()),
                meeting.service(),
                PeerLimits.DRIVER);
        meeting.hosts().accept(hosted);
        LOG.info("This process coordinates at {}", at);
      } catch (IOException e) {
        LOG.debug("Another process coordinates at {}", at, e);
      }
    }
  }

  /**
   * Likewise, for the sake of the desk, unless ranks of this process train on without their host:
   * they would be fenced, and wait for those that have ended.
   */
  public synchronized void hostForNodes() {
    if (remote == null || !remote.hasRanks()) {
      hostIfFree();
    }
  }

  /** The way of this process to the host. */
  private final class ToHost implements Exchange {
    private final TcpPeerClient way;

    ToHost(TcpPeerClient way) {
      this.way = way;
    }

    @Override
    public CompletionStage<byte[]> ask(byte[] request) {
      return way.ask(meeting.address(), request);
    }

    @Override
    public void registered() {
      meeting.announce().run();
    }
  }

  /**
   * Sends the last messages, and ends hosting without waiting for ranks that still train. Processes
   * that asked a moment ago fetch the messages that wait for them, for at most 3 s.
   */
  @Override
  public void close() {
    RemoteCoordination connected;
    TcpPeerTransport serving;
    synchronized (this) {
      closed = true;
      connected = remote;
      serving = hosted;
    }
    if (connected != null) {
      connected.close();
    }
    if (serving != null) {
      linger();
      serving.close();
    }
    TcpPeerClient asked;
    synchronized (this) {
      asked = client;
    }
    if (asked != null) {
      asked.close();
    }
  }

  private void linger() {
    long begin = nanoTime.getAsLong();
    try {
      while (meeting.server().owesMessages() && nanoTime.getAsLong() - begin < LINGER.toNanos()) {
        waits.sleep(LINGER_STEP_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
