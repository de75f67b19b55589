package io.cairn.engine.sharing;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.cairn.cache.capture.Capture;
import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.core.model.GroupId;
import io.cairn.core.model.Member;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerSink;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.sharing.DeskMessage;
import io.cairn.core.sharing.HolderSite;
import io.cairn.core.sharing.LeaseAnswer;
import io.cairn.core.sharing.LeaseRequest;
import io.cairn.core.sharing.LeaseTerms;
import io.cairn.core.sharing.Occupancy;
import io.cairn.core.sharing.PlanAnswer;
import io.cairn.core.sharing.SharingWire;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One process's part in sharing device memory: lends what it has spare, and borrows for what does
 * not fit at home. Thread-safe.
 */
public final class Sharing implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Sharing.class);
  private static final long TICK_MILLIS = 1000;
  private static final int TICKS_PER_REGISTRATION = 5;

  private final HolderSite site;
  private final SharingTerms terms;
  private final ChunkCache cache;
  private final PeerTransport transport;
  private final PeerAddress desk;
  private final Peers peers;
  private final Lender lender;
  private final Borrower borrower;
  private final ByteBuffer moving;
  private final ExecutorService mover = Executors.newSingleThreadExecutor(Sharing::daemon);
  private final ScheduledExecutorService ticks =
      Executors.newSingleThreadScheduledExecutor(Sharing::daemon);

  /** Groups of which each rank reports; those of ranks elsewhere cost a few bytes. */
  private final Set<GroupId> sharing = ConcurrentHashMap.newKeySet();

  private int tick;

  /** Opens a transport that serves what it is given. */
  @FunctionalInterface
  public interface TransportFactory {
    /** The transport, which is closed with the sharing. */
    PeerTransport open(PeerService service) throws IOException;
  }

  /**
   * Serves, and registers at the desk.
   *
   * @param memory that the cache lies in; opens the memory of peers on this machine
   * @param machine the same for processes that can share memory
   * @param device index of this process's device on the machine
   * @param desk where the desk serves
   */
  public Sharing(
      SharingTerms terms,
      ChunkCache cache,
      DeviceMemory memory,
      String machine,
      int device,
      PeerAddress desk,
      TransportFactory transports)
      throws IOException {
    this.terms = terms;
    this.cache = cache;
    this.desk = desk;
    this.moving = ByteBuffer.allocateDirect(cache.chunkBytes());
    Service service =
        new Service(new Greeting(machine, cache.chunkBytes(), cache.lending().exports()));
    this.transport = transports.open(service);
    HolderId self = HolderId.at(transport.address());
    this.site = new HolderSite(self.toString(), machine, device);
    this.peers = new Peers(transport, memory, machine, cache.chunkBytes());
    this.lender =
        new Lender(cache, new LeaseTerms(terms.fill().toNanos(), terms.quarantineQuota()), peers);
    this.borrower = new Borrower(self, peers, terms.patience().toNanos());
    service.ready.complete(null);
    var unused = ticks.scheduleWithFixedDelay(this::tick, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "cairn-sharing");
    thread.setDaemon(true);
    return thread;
  }

  /** This process, as its peers know it. */
  public String holder() {
    return site.holder();
  }

  /** A report whose answer is on its way. */
  public record Asked(Member member, CachedCheckpoint target, CompletionStage<byte[]> answer) {}

  /** Whether every rank of this group reports, since one of them has more than fits at home. */
  public boolean isShared(GroupId group) {
    return sharing.contains(group);
  }

  /** Asks the desk where the chunks of a checkpoint go that have no place at home. */
  public Asked ask(Member member, CachedCheckpoint target) {
    DeskMessage.Report report =
        new DeskMessage.Report(
            member,
            target.id().epoch(),
            target.id().iteration(),
            site.holder(),
            target.chunks() - target.placed(),
            cache.spareSlots(),
            cache.chunkBytes());
    return new Asked(
        member, target, transport.ask(desk, PeerCall.DESK.with(SharingWire.encode(report))));
  }

  /**
   * Waits for the plan, finds places for what has none, and starts to copy it; at most for the
   * patience of the terms, twice. Chunks that are left without a place are the caller's to see.
   *
   * @param withdrawn takes the reason if a lender loses what it holds; the checkpoint is gone then
   * @return what was borrowed, to be announced when all is copied
   */
  public Loans place(Asked asked, Capture capture, Consumer<String> withdrawn) {
    int missing = asked.target().chunks() - asked.target().placed();
    PlanAnswer.Part plan = plan(asked, missing);
    return new Loans(
        borrower.place(asked.member(), plan, asked.target(), capture, withdrawn),
        borrower::announce);
  }

  private PlanAnswer.Part plan(Asked asked, int missing) {
    String reason;
    try {
      byte[] bytes =
          asked
              .answer()
              .toCompletableFuture()
              .get(terms.patience().toNanos(), TimeUnit.NANOSECONDS);
      PlanAnswer answer = SharingWire.decodePlan(bytes);
      if (answer instanceof PlanAnswer.Part part) {
        if (!part.reason().isEmpty()) {
          LOG.warn("{}: all goes to host memory: {}", asked.target(), part.reason());
        }
        return part;
      }
      reason = answer.toString();
    } catch (TimeoutException e) {
      reason = "the desk does not answer within " + terms.patience();
    } catch (ExecutionException | IllegalArgumentException e) {
      reason = e.toString();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      reason = "interrupted";
    }
    LOG.warn("{}: all goes to host memory: {}", asked.target(), reason);
    return new PlanAnswer.Part(
        asked.target().id(), asked.target().rank(), List.of(), missing, reason);
  }

  /** The trainer needs slots that are lent. */
  public void takeBack(int slots) {
    lender.takeBack(slots, terms.revocation().toNanos());
  }

  /** What this process's slots are lent for. */
  public CompletionStage<Occupancy> lent() {
    return lender.occupancy();
  }

  /** Leases of other holders' slots that are in use. */
  public int leases() {
    return borrower.leases();
  }

  /** Registers again, says what is spare, repeats releases, and looks who is gone. */
  private void tick() {
    try {
      if (tick++ % TICKS_PER_REGISTRATION == 0) {
        tell(new DeskMessage.Registered(site));
      }
      tell(new DeskMessage.Spare(site.holder(), cache.spareSlots(), cache.chunkBytes()));
      borrower.releaseAgain();
      for (String gone : peers.gone()) {
        LOG.info("{} is gone", gone);
        lender.senderGone(gone);
        borrower.lenderGone(gone);
        peers.forget(gone);
      }
    } catch (RuntimeException e) {
      LOG.error("Peers could not be looked after", e);
    }
  }

  private void tell(DeskMessage message) {
    transport
        .ask(desk, PeerCall.DESK.with(SharingWire.encode(message)))
        .whenComplete(
            (answer, failure) -> {
              if (failure != null) {
                LOG.debug("The desk did not hear {}: {}", message, failure.toString());
              }
            });
  }

  @Override
  public void close() {
    ticks.shutdownNow();
    transport.close();
    mover.shutdownNow();
    lender.close();
    peers.close();
  }

  /** What peers ask of this process. */
  private final class Service implements PeerService {
    private final byte[] greeting;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();

    Service(Greeting greeting) {
      this.greeting = greeting.encode();
    }

    @Override
    public CompletionStage<byte[]> answer(byte[] question) {
      return ready.thenCompose(
          r -> {
            byte[] rest = PeerCall.rest(question);
            return switch (PeerCall.of(question)) {
              case GREET -> CompletableFuture.completedFuture(greeting);
              case LEASE -> lender.answer(rest);
              case NOTICE -> notice(SharingWire.decodeAnswer(rest));
              case SHARES -> shares(new String(rest, UTF_8));
              case VACATE -> vacate(SharingWire.decodeRequest(rest));
              default -> throw new IllegalArgumentException("holders do not take this");
            };
          });
    }

    private CompletionStage<byte[]> shares(String group) {
      String[] parts = group.split("/", -1);
      if (parts.length != 2) {
        throw new IllegalArgumentException("'" + group + "' names no group");
      }
      sharing.add(new GroupId(parts[0], parts[1]));
      return CompletableFuture.completedFuture(new byte[0]);
    }

    private CompletionStage<byte[]> notice(LeaseAnswer notice) {
      if (notice instanceof LeaseAnswer.Revoked revoked) {
        borrower.lost(revoked.id(), revoked.reason());
      } else if (notice instanceof LeaseAnswer.Rejected rejected) {
        borrower.lost(rejected.id(), rejected.reason());
      }
      return CompletableFuture.completedFuture(new byte[0]);
    }

    private CompletionStage<byte[]> vacate(LeaseRequest lease) {
      return CompletableFuture.supplyAsync(
          () -> new byte[] {(byte) (borrower.vacate(lease.id(), moving) ? 1 : 0)}, mover);
    }

    @Override
    public PeerSink receive(byte[] header, long bytes) throws IOException {
      throw new IOException("chunks come through shared memory only");
    }
  }
}
