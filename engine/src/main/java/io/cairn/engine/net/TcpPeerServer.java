package io.cairn.engine.net;

import io.cairn.core.peer.PeerLimits;
import io.cairn.core.peer.PeerService;
import io.cairn.engine.events.Repeats;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Accepts connections, and serves those of peers that prove the secret. Thread-safe. */
final class TcpPeerServer implements NetLoop.Member {
  /*
   * Strangers
   *
   * A sender proves the secret by its first bytes: until then it costs some bytes, for some
   * seconds. They are bounded by the connections that are served, since the executors of a large
   * stage connect at once, and prove it when their classes are loaded. Of more the oldest ends. To
   * make a share takes longer than all else, so all strangers of a second have the same.
   *
   * Failures
   *
   * A process without a file for one more connection, or for a class, serves those that it has, and
   * accepts again after a moment. A lack of memory may strike where a failure is handled, too.
   */
  static final int FEWEST_STRANGERS = 256;

  private static final Logger LOG = LoggerFactory.getLogger(TcpPeerServer.class);
  private static final int BACKLOG = 1024;
  private static final long HELLO_NANOS = Duration.ofSeconds(5).toNanos();
  private static final long SHARE_NANOS = Duration.ofSeconds(1).toNanos();

  private final PeerSecret secret;
  private final PeerService service;
  private final PeerLimits limits;
  private final NetLoops loops;
  private final ServerSocketChannel listening;
  private final AtomicInteger questions = new AtomicInteger();
  private final AtomicInteger served = new AtomicInteger();
  private final Repeats repeats;

  // the loop's
  private final Set<Stranger> strangers = new LinkedHashSet<>();
  private @Nullable SelectionKey paused;
  private @Nullable KeyShare share;
  private long sharedNanos;

  /**
   * Binds an address.
   *
   * @throws IOException if it cannot be bound
   */
  static void bind(ServerSocketChannel listening, InetSocketAddress at) throws IOException {
    if (at.isUnresolved()) {
      throw new IOException("no host of this name is known");
    }
    listening.setOption(StandardSocketOptions.SO_REUSEADDR, true);
    listening.bind(at, BACKLOG);
    listening.configureBlocking(false);
  }

  /**
   * Serves from now on.
   *
   * @param listening is bound
   * @param loops end it
   * @throws IOException if the system refuses what it needs; then the caller closes {@code
   *     listening}
   */
  TcpPeerServer(
      ServerSocketChannel listening,
      PeerSecret secret,
      PeerService service,
      PeerLimits limits,
      NetLoops loops)
      throws IOException {
    this.secret = secret;
    this.service = service;
    this.limits = limits;
    this.loops = loops;
    this.listening = listening;
    this.repeats = new Repeats(loops.questions()::now);
    var unused = loops.questions().register(listening, SelectionKey.OP_ACCEPT, this);
  }

  /** The port that it serves at. */
  int port() {
    return listening.socket().getLocalPort();
  }

  /** The number of connections that have proven nothing yet; for tests. */
  int strangers() {
    CompletableFuture<Integer> counted = new CompletableFuture<>();
    loops.questions().soon(() -> counted.complete(strangers.size()));
    return counted.join();
  }

  @Override
  public void ready(SelectionKey key) {
    SocketChannel channel = null;
    try {
      channel = listening.accept();
      if (channel != null) {
        greet(channel);
      }
    } catch (IOException | RuntimeException | Error e) {
      paused = key;
      key.interestOps(0); // until the next look, since what waits to be accepted stays
      close(channel);
      strangers.stream().findFirst().ifPresent(oldest -> oldest.end(e));
      repeats
          .pass(e.getClass())
          .ifPresent(more -> LOG.warn("A connection was not accepted{}", more, e));
    }
  }

  private void greet(SocketChannel channel) throws IOException {
    channel.configureBlocking(false);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    Stranger stranger = new Stranger(channel);
    stranger.key = loops.questions().register(channel, SelectionKey.OP_READ, stranger);
    strangers.add(stranger);
    if (strangers.size() > Math.max(FEWEST_STRANGERS, limits.maxConnections())) {
      strangers.stream()
          .findFirst()
          .ifPresent(oldest -> oldest.end(new IOException("too many prove nothing")));
    }
  }

  @Override
  public void look(long nowNanos) {
    SelectionKey key = paused;
    if (key != null) {
      key.interestOps(SelectionKey.OP_ACCEPT);
      paused = null;
    }
    if (nowNanos - sharedNanos >= SHARE_NANOS) {
      share = null; // nobody computes a key with it later
    }
  }

  private @Nullable KeyShare share() throws IOException {
    long now = loops.questions().now();
    if (share == null || now - sharedNanos >= SHARE_NANOS) {
      share = secret.share();
      sharedNanos = now;
    }
    return share;
  }

  @Override
  public void end(Throwable cause) {
    if (loops.questions().isClosed()) {
      close(listening);
    }
  }

  private static void close(@Nullable Channel channel) {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      LOG.debug("A connection was not closed in order", e);
    }
  }

  /** A connection that has proven nothing yet. */
  private final class Stranger implements NetLoop.Member {
    private final SocketChannel channel;
    private final long deadlineNanos = loops.questions().now() + HELLO_NANOS;
    private final ByteBuffer hello = ByteBuffer.allocate(Hello.BYTES);
    private final ByteBuffer proof = ByteBuffer.allocate(PeerSecret.PROOF_BYTES);
    private @Nullable SelectionKey key;
    private Hello.Role role = Hello.Role.S;
    private @Nullable KeyShare own;
    private byte[] said = {};

    Stranger(SocketChannel channel) {
      this.channel = channel;
    }

    @Override
    public void ready(SelectionKey selected) throws IOException {
      boolean greeted = !hello.hasRemaining();
      ByteBuffer place = greeted ? proof : hello;
      if (channel.read(place) < 0) {
        throw new EOFException("the sender has gone");
      }
      if (!greeted && hello.position() >= Hello.VERSION_BYTES) {
        requireRole();
      }
      if (!place.hasRemaining() && greeted) {
        proven();
      } else if (!place.hasRemaining()) {
        answer();
      }
    }

    private void requireRole() throws IOException {
      boolean known = Hello.isOfThisVersion(hello.array());
      if (known && hello.position() < Hello.GREETING_BYTES) {
        return; // the rest of the line is still to come
      }
      role = Hello.role(hello.array(), secret.seals()).orElse(Hello.Role.S);
      if (role == Hello.Role.S) {
        if (Hello.isOurs(hello.array())) {
          refuse();
        }
        throw new IOException("no greeting of this version, or it does not seal alike");
      }
    }

    /** Tells which greeting is served. Bytes that nobody read would take the answer away. */
    private void refuse() throws IOException {
      byte[] line = Hello.line(Hello.Role.S, secret.seals());
      int unused = channel.write(ByteBuffer.wrap(line));
      channel.shutdownOutput();
      int ignored = channel.read(loops.questions().memory().arrived());
    }

    private void answer() throws IOException {
      own = share();
      byte[] ours = Hello.begin(Hello.Role.S, own);
      said = Hello.said(hello.array(), ours);
      ByteBuffer answer = ByteBuffer.wrap(Hello.join(ours, secret.proof(Hello.SERVER, said)));
      int unused = channel.write(answer);
      if (answer.hasRemaining()) {
        throw new IOException("a sender that takes no bytes");
      }
    }

    private void proven() throws IOException {
      if (!Hello.provesClient(secret, proof.array(), said)) {
        throw new IOException("it does not prove " + secret);
      } else if (served.get() >= limits.maxConnections()) {
        throw new IOException("more than " + limits.maxConnections() + " connections");
      }
      Session session = Session.of(secret, said, own, Hello.share(hello.array()));
      boolean pushes = role == Hello.Role.P;
      NetLoop loop = loops.of(pushes);
      ServedPeer peer =
          new ServedPeer(
              service, limits, loop, channel, session, pushes, questions, served::decrementAndGet);
      strangers.remove(this);
      served.incrementAndGet();
      if (!pushes) {
        begin(peer.connection());
      } else {
        if (key != null) {
          key.cancel();
        }
        loop.soon(() -> begin(peer.connection()));
      }
    }

    private void begin(NetConnection connection) {
      try {
        connection.begin();
      } catch (IOException | RuntimeException | Error e) {
        connection.end(e);
      }
    }

    @Override
    public void look(long nowNanos) throws IOException {
      if (nowNanos - deadlineNanos >= 0 && strangers.contains(this)) {
        throw new IOException("it proves nothing in time");
      }
    }

    @Override
    public void end(Throwable cause) {
      strangers.remove(this);
      close(channel);
      LOG.debug("A stranger is let go", cause);
    }
  }
}
