package io.cairn.examples.elastic;

import io.cairn.core.codec.RecordCodec;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerException;
import io.cairn.core.peer.PeerLimits;
import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerTransport;
import io.cairn.engine.net.PeerSecret;
import io.cairn.engine.net.TcpPeerClient;
import io.cairn.engine.net.TcpPeerTransport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * An exchange between processes over the engine's transport. Each rank asks rank 0, the hub, which
 * answers when all have asked. Both ends prove the user's secret.
 */
final class PeerExchange implements RankExchange {
  /** All blocks fit one answer. */
  static final int MOST_RANKS = PeerTransport.MAX_MESSAGE_BYTES / (MOST_BLOCK_BYTES + 64);

  private static final RecordCodec<HubMessage> CODEC = new RecordCodec<>(HubMessage.class, 1);
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final RankPresent self;
  private final Duration patience;
  private final PeerAddress hub;
  private final Asking asking;
  private final Runnable ending;
  private long calls;
  private boolean closed;

  /** A message between ranks and hub. */
  private sealed interface HubMessage {}

  /**
   * A rank is there; unanswered, so that the end of its connection shows when it left.
   *
   * @param life of its process, which no other process of the rank has
   */
  private record RankPresent(int rank, int ranks, String life) implements HubMessage {
    /** One of a new process. */
    static RankPresent begin(int rank, int ranks) {
      return new RankPresent(rank, ranks, UUID.randomUUID().toString());
    }
  }

  /** Answered by {@link AllBlocks}. */
  private record RankBlock(RankPresent from, long call, ByteBuffer block) implements HubMessage {}

  private record AllBlocks(List<ByteBuffer> blocks) implements HubMessage {}

  /** Gives a block to the hub. */
  private interface Asking {
    Future<AllBlocks> ask(RankBlock block);
  }

  private PeerExchange(
      RankPresent self, Duration patience, PeerAddress hub, Asking asking, Runnable ending) {
    this.self = self;
    this.patience = patience;
    this.hub = hub;
    this.asking = asking;
    this.ending = ending;
  }

  /**
   * The exchange of rank 0, which the others join. Returns at once; the first call of {@link
   * #allGather} waits for them.
   *
   * @param port 0 for any free one, which {@link #address} names
   * @param ranks 1 to {@link #MOST_RANKS}
   * @param patience how long a call waits for a silent rank
   * @throws IOException if nobody can listen there, or the user has no secret
   */
  static PeerExchange host(String host, int port, int ranks, Duration patience) throws IOException {
    requireRank(0, ranks);
    Hub hub = new Hub(ranks);
    TcpPeerTransport transport =
        TcpPeerTransport.open(
            host,
            port,
            PeerSecret.of(Optional.empty()),
            hub,
            PeerLimits.DEFAULT.withAnswer(patience));
    return new PeerExchange(
        RankPresent.begin(0, ranks), patience, transport.address(), hub::give, transport::close);
  }

  /**
   * The exchange of another rank. Returns at once; the first call of {@link #allGather} waits for
   * rank 0.
   *
   * @param hub where rank 0 listens, now or within the patience
   * @param rank 1 to {@code ranks} - 1
   * @param ranks as for {@link #host}; so is the patience
   * @throws IOException if the user has no secret
   */
  static PeerExchange join(PeerAddress hub, int rank, int ranks, Duration patience)
      throws IOException {
    requireRank(rank, ranks);
    TcpPeerClient client =
        new TcpPeerClient(PeerSecret.of(Optional.empty()), PeerLimits.DEFAULT.withAnswer(patience));
    RankPresent self = RankPresent.begin(rank, ranks);
    Guest guest = new Guest(client, hub, self);
    return new PeerExchange(self, patience, hub, guest::ask, client::close);
  }

  private static void requireRank(int rank, int ranks) {
    if (ranks < 1 || ranks > MOST_RANKS || rank < 0 || rank >= ranks) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "rank %d of %d: there are 1 to %d ranks", rank, ranks, MOST_RANKS));
    }
  }

  /** Where rank 0 listens. */
  PeerAddress address() {
    return hub;
  }

  @Override
  public int rank() {
    return self.rank();
  }

  @Override
  public int ranks() {
    return self.ranks();
  }

  @Override
  public List<ByteBuffer> allGather(ByteBuffer block) throws IOException {
    RankExchange.requireLength(block.remaining());
    if (closed) {
      throw new IOException("the exchange of rank " + rank() + " has ended");
    }
    ByteBuffer own = ByteBuffer.allocate(block.remaining()).put(block.duplicate()).flip();
    try {
      return gather(new RankBlock(self, calls++, own)).stream().map(ByteBuffer::duplicate).toList();
    } catch (IOException e) {
      close();
      throw new IOException(
          String.format(
              Locale.ROOT,
              "rank %d of %d lost the others, of which one may have died: %s",
              rank(),
              ranks(),
              e.getMessage()),
          e);
    }
  }

  private List<ByteBuffer> gather(RankBlock block) throws IOException {
    long end = System.nanoTime() + patience.toNanos();
    while (true) {
      try {
        long left = Math.max(0, end - System.nanoTime());
        return asking.ask(block).get(left, TimeUnit.NANOSECONDS).blocks();
      } catch (ExecutionException e) {
        if (block.call() > 0
            || !isFor(e.getCause(), PeerException.Reason.UNREACHABLE)
            || System.nanoTime() - end >= 0) {
          throw new IOException(String.valueOf(e.getCause()), e);
        }
        LockSupport.parkNanos(RETRY_NANOS); // rank 0 does not listen yet
      } catch (TimeoutException e) {
        throw new IOException("not all ranks gave a block within " + patience, e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while ranks exchanged", e);
      }
    }
  }

  private static boolean isFor(@Nullable Throwable failure, PeerException.Reason reason) {
    return failure instanceof PeerException known && known.reason() == reason;
  }

  @Override
  public void close() {
    closed = true;
    ending.run();
  }

  /** Asks the hub, at which its presence shows. Thread-safe. */
  private static final class Guest {
    private final TcpPeerClient client;
    private final PeerAddress hub;
    private final RankPresent self;
    private CompletableFuture<byte[]> presence = CompletableFuture.completedFuture(new byte[0]);

    Guest(TcpPeerClient client, PeerAddress hub, RankPresent self) {
      this.client = client;
      this.hub = hub;
      this.self = self;
    }

    synchronized Future<AllBlocks> ask(RankBlock block) {
      if (presence.isDone()) {
        stay();
      }
      return client
          .ask(hub, CODEC.encode(block))
          .thenApply(bytes -> CODEC.decode(bytes, AllBlocks.class))
          .toCompletableFuture();
    }

    /** Shows anew when that was too long ago for the transport: the hub ends an idle connection. */
    private synchronized void stay() {
      presence = client.ask(hub, CODEC.encode(self)).toCompletableFuture();
      var unused =
          presence.whenComplete(
              (nothing, failure) -> {
                if (isFor(failure, PeerException.Reason.LOST)) {
                  stay();
                }
              });
    }
  }

  /** Gathers the blocks of each call. Thread-safe. */
  private static final class Hub implements PeerService {
    private final int ranks;
    private final Map<Integer, String> lives = new HashMap<>();
    private final Map<Integer, CompletableFuture<byte[]>> present = new HashMap<>();
    private Map<Integer, ByteBuffer> blocks = new TreeMap<>();

    /** Of the call under way; failed for good once a rank left. */
    private CompletableFuture<AllBlocks> gathered = new CompletableFuture<>();

    private long calls;

    Hub(int ranks) {
      this.ranks = ranks;
    }

    @Override
    public CompletionStage<byte[]> answer(byte[] question) {
      HubMessage message = CODEC.decode(question, HubMessage.class);
      if (message instanceof RankPresent guest) {
        requireGuest(guest);
        return watch(guest.rank());
      } else if (message instanceof RankBlock given) {
        requireGuest(given.from());
        return give(given).thenApply(CODEC::encode);
      }
      throw new IllegalArgumentException("rank 0 does not answer " + message);
    }

    /** Only the first process of a rank is a guest. */
    private synchronized void requireGuest(RankPresent guest) {
      int other = guest.rank();
      if (guest.ranks() != ranks || other < 1 || other >= ranks) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "rank %d of %d came, and this exchange has %d",
                other,
                guest.ranks(),
                ranks));
      }
      if (!lives.computeIfAbsent(other, first -> guest.life()).equals(guest.life())) {
        throw new IllegalArgumentException("another process is rank " + other);
      }
    }

    private synchronized CompletionStage<byte[]> watch(int other) {
      CompletableFuture<byte[]> presence = new CompletableFuture<>();
      CompletableFuture<byte[]> before = present.put(other, presence);
      if (before != null) {
        before.complete(new byte[0]);
      }
      var unused =
          presence.whenComplete(
              (nothing, failure) -> {
                if (failure != null) { // the transport cancels it
                  lose(other);
                }
              });
      return presence;
    }

    private synchronized void lose(int other) {
      gathered.completeExceptionally(new IOException("rank " + other + " left"));
    }

    synchronized CompletableFuture<AllBlocks> give(RankBlock given) {
      RankExchange.requireLength(given.block().remaining());
      CompletableFuture<AllBlocks> call = gathered;
      int rank = given.from().rank();
      if (given.call() != calls || blocks.putIfAbsent(rank, given.block()) != null) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "rank %d gave a block for call %d, and call %d is under way",
                rank,
                given.call(),
                calls));
      }
      if (blocks.size() == ranks && !call.isDone()) {
        AllBlocks all = new AllBlocks(List.copyOf(blocks.values()));
        blocks = new TreeMap<>();
        gathered = new CompletableFuture<>();
        calls++;
        call.complete(all);
      }
      return call;
    }
  }
}
