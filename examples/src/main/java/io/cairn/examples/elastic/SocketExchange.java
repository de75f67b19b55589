package io.cairn.examples.elastic;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An exchange between processes over TCP. Rank 0 is the hub: it receives the blocks of all ranks
 * and sends all of them to each. The ranks prove that they know a common secret. Nothing is
 * encrypted, and blocks are not authenticated: use a network that you trust.
 */
final class SocketExchange implements RankExchange {
  private static final Logger LOG = LoggerFactory.getLogger(SocketExchange.class);
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final int rank;
  private final int ranks;
  private final ExchangeGreeting greeting;
  private final Duration patience;
  private final InetSocketAddress hub;
  private final @Nullable ServerSocket server;

  /**
   * By rank for the hub, whose own place is null; only the hub for others. Empty until they meet.
   */
  private final List<@Nullable Link> links = new ArrayList<>();

  private boolean broken;
  private @Nullable ScheduledExecutorService timer;

  /** A connection to another rank. */
  private record Link(Socket socket, DataInputStream in, DataOutputStream out)
      implements Closeable {
    static Link of(Socket socket) throws IOException {
      socket.setTcpNoDelay(true);
      return new Link(
          socket,
          new DataInputStream(socket.getInputStream()),
          new DataOutputStream(new BufferedOutputStream(socket.getOutputStream(), 1 << 16)));
    }

    void send(ByteBuffer block) throws IOException {
      byte[] bytes = new byte[block.remaining()];
      block.duplicate().get(bytes);
      out.writeInt(bytes.length);
      out.write(bytes);
    }

    ByteBuffer receive() throws IOException {
      int length = in.readInt();
      if (length < 0 || length > MOST_BLOCK_BYTES) {
        throw new IOException(
            String.format(
                Locale.ROOT,
                "%s announced a block of %d bytes",
                socket.getRemoteSocketAddress(),
                length));
      }
      byte[] bytes = new byte[length];
      in.readFully(bytes);
      return ByteBuffer.wrap(bytes);
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  private SocketExchange(
      int rank,
      int ranks,
      ExchangeGreeting greeting,
      Duration patience,
      InetSocketAddress hub,
      @Nullable ServerSocket server) {
    this.rank = rank;
    this.ranks = ranks;
    this.greeting = greeting;
    this.patience = patience;
    this.hub = hub;
    this.server = server;
  }

  /**
   * The exchange of rank 0, which the others join. Returns at once; the first call of {@link
   * #allGather} waits for them.
   *
   * @param at where to listen; port 0 takes a free one, which {@link #address} names
   * @param ranks at least 1
   * @param secret the same everywhere, at least 16 characters
   * @param patience how long a call waits for a silent rank
   * @throws IOException if nobody can listen there
   */
  static SocketExchange host(InetSocketAddress at, int ranks, String secret, Duration patience)
      throws IOException {
    ExchangeGreeting greeting = new ExchangeGreeting(0, ranks, secret);
    ServerSocket server = new ServerSocket();
    try {
      server.bind(at, ranks);
    } catch (IOException e) {
      server.close();
      throw new IOException("rank 0 cannot listen at " + at + ": " + e.getMessage(), e);
    }
    InetSocketAddress bound = (InetSocketAddress) server.getLocalSocketAddress();
    return new SocketExchange(0, ranks, greeting, patience, bound, server);
  }

  /**
   * The exchange of another rank. Returns at once; the first call of {@link #allGather} waits for
   * rank 0.
   *
   * @param hub where rank 0 listens, now or within the patience
   * @param rank 1 to {@code ranks} - 1
   * @param ranks as for {@link #host}; so are secret and patience
   */
  static SocketExchange join(
      InetSocketAddress hub, int rank, int ranks, String secret, Duration patience) {
    ExchangeGreeting greeting = new ExchangeGreeting(rank, ranks, secret);
    return new SocketExchange(rank, ranks, greeting, patience, hub, null);
  }

  /** Where rank 0 listens. */
  InetSocketAddress address() {
    return hub;
  }

  @Override
  public int rank() {
    return rank;
  }

  @Override
  public int ranks() {
    return ranks;
  }

  @Override
  public List<ByteBuffer> allGather(ByteBuffer block) throws IOException {
    RankExchange.requireLength(block.remaining());
    if (broken) {
      throw new IOException("the exchange of rank " + rank + " has ended");
    }
    try {
      if (links.isEmpty()) {
        meet();
      }
      return rank == 0 ? gatherAndSend(block) : sendAndReceive(block);
    } catch (IOException e) {
      close();
      throw new IOException(
          String.format(
              Locale.ROOT,
              "rank %d of %d lost the others, of which one may have died: %s",
              rank,
              ranks,
              e),
          e);
    }
  }

  private List<ByteBuffer> gatherAndSend(ByteBuffer own) throws IOException {
    List<ByteBuffer> all = new ArrayList<>(ranks);
    for (Link link : links) {
      all.add(link == null ? own.duplicate() : link.receive());
    }
    for (Link link : links) {
      if (link != null) {
        send(link, all);
      }
    }
    return all;
  }

  /** No socket of Java bounds a write, so a timer closes that of a rank that reads nothing. */
  private void send(Link link, List<ByteBuffer> blocks) throws IOException {
    Future<?> deadline =
        timer().schedule(() -> closeQuietly(link), patience.toNanos(), TimeUnit.NANOSECONDS);
    try {
      for (ByteBuffer block : blocks) {
        link.send(block);
      }
      link.out().flush();
    } finally {
      boolean unused = deadline.cancel(false);
    }
  }

  private ScheduledExecutorService timer() {
    ScheduledExecutorService known = timer;
    if (known == null) {
      ScheduledThreadPoolExecutor made =
          new ScheduledThreadPoolExecutor(
              1, work -> Meeting.daemon("cairn-exchange-deadline", work));
      made.setRemoveOnCancelPolicy(true);
      timer = made;
      known = made;
    }
    return known;
  }

  private List<ByteBuffer> sendAndReceive(ByteBuffer own) throws IOException {
    Link link = links.get(0);
    if (link == null) {
      throw new IOException("rank 0 is not connected");
    }
    send(link, List.of(own));
    List<ByteBuffer> all = new ArrayList<>(ranks);
    for (int other = 0; other < ranks; other++) {
      all.add(link.receive());
    }
    return all;
  }

  private void meet() throws IOException {
    long end = System.nanoTime() + patience.toNanos();
    if (server != null) {
      accept(server, end);
    } else {
      links.add(connect(end));
    }
  }

  private void accept(ServerSocket at, long end) throws IOException {
    for (int other = 0; other < ranks; other++) {
      links.add(null);
    }
    try (Meeting meeting = new Meeting(at, greeting)) {
      for (int missing = ranks - 1; missing > 0; ) {
        Meeting.Met met = meeting.next(leftMillis(end));
        if (links.get(met.rank()) != null) {
          LOG.warn("the exchange refused {}", met, new IOException("it is connected already"));
          met.socket().close();
        } else {
          met.socket().setSoTimeout(millis(patience));
          links.set(met.rank(), Link.of(met.socket()));
          missing--;
        }
      }
    }
  }

  private Link connect(long end) throws IOException {
    while (true) {
      Socket socket = new Socket();
      try {
        socket.connect(hub, leftMillis(end));
        socket.setSoTimeout(millis(patience));
        Link link = Link.of(socket);
        greeting.ask(link.in(), link.out());
        return link;
      } catch (java.net.ConnectException e) {
        socket.close(); // rank 0 does not listen yet
        leftMillis(end);
        LockSupport.parkNanos(RETRY_NANOS);
      } catch (IOException e) {
        socket.close();
        throw e;
      }
    }
  }

  private static int leftMillis(long end) throws IOException {
    long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
    if (left <= 0) {
      throw new SocketTimeoutException("not all ranks met in time");
    }
    return (int) Math.min(left, Integer.MAX_VALUE);
  }

  private static int millis(Duration duration) {
    return (int) Math.max(1, Math.min(duration.toMillis(), Integer.MAX_VALUE));
  }

  @Override
  public void close() {
    broken = true;
    for (Link link : links) {
      closeQuietly(link);
    }
    closeQuietly(server);
    if (timer != null) {
      timer.shutdownNow();
    }
  }

  private static void closeQuietly(@Nullable Closeable resource) {
    try {
      if (resource != null) {
        resource.close();
      }
    } catch (IOException e) {
      LOG.debug("a connection of the exchange could not be closed", e);
    }
  }
}
