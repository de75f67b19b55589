package io.cairn.adjoint.history;

import io.cairn.core.flow.Topology;
import io.cairn.core.model.OpenParts;
import io.cairn.core.peer.PeerService;
import io.cairn.core.sharing.DeskMessage.Report;
import io.cairn.core.sharing.LeaseAnswer;
import io.cairn.core.sharing.LeaseId;
import io.cairn.core.sharing.LeaseRequest;
import io.cairn.core.threads.DaemonThreads;
import io.cairn.core.wire.Message;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerReply.Greeting;
import io.cairn.core.wire.PeerReply.Vacated;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One process among those of a machine whose histories lend each other memory of their devices. As
 * soon as each of them was told what to expect, a flow plan says who lends how much to whom. A
 * history lends only chunks that the states to come leave free. Thread-safe.
 *
 * <pre>{@code
 * try (MachinePeers peers = MachinePeers.join(directory, Topology.uniform(2, 24e9, 12e9), 0);
 *     History history = History.open(HistoryPlaces.on(device).withPeers(peers), settings)) {
 *   ...
 * }
 * }</pre>
 */
public final class MachinePeers extends Lenders implements AutoCloseable {
  /*
   * Leases
   *
   * A borrower writes straight into memory that it has mapped, so its lender cannot stop a write. A
   * lease therefore lasts until its borrower releases it after its last copy, or is proven dead.
   * The proof is a page of shared memory that each process holds in the meeting place: the kernel
   * frees its lock after the last thread of a dead process. No end of a connection proves that, and
   * neither does an answer that does not come. A lender that wants its memory asks for it; until
   * the lease is over the chunks wait in quarantine.
   *
   * Death of a lender
   *
   * Its page shows that, too. From then on no byte is read or written there, although shared memory
   * would still have it. States that lay there alone are lost.
   *
   * Plans
   *
   * Each process knows the newest report of each other one, and all compute the same plan. A
   * process uses its own report only after it sent it to all others, so that none misses a plan. A
   * lender's ledger has the last word, so a process with an old report does no harm.
   *
   * Threads
   *
   * One thread reports, plans and borrows, and waits for others. One answers, lends and looks who
   * died, and never waits. Each lease and each closed history may have a thread that waits: for
   * states that leave borrowed memory or are lost, or for the device that frees its own.
   */
  private static final Logger LOG = LoggerFactory.getLogger(MachinePeers.class);

  /** Long enough for a borrower that moves gigabytes to files. */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Between two looks which borrowers live. */
  private static final long LOOK_MILLIS = 100;

  private static final String SERVING = "cairn-histories-lend";

  /** The memory of a process without a history. */
  private static final Greeting NOTHING = new Greeting("", "", 1, List.of());

  private final int device;
  private final Reports reports;
  private final MeetingPlace place;
  private final ExecutorService desk =
      Executors.newSingleThreadExecutor(DaemonThreads.named("cairn-histories"));

  /** The questions of others that wait are bounded by the transport. */
  private final ScheduledExecutorService serving =
      Executors.newSingleThreadScheduledExecutor(DaemonThreads.named(SERVING));

  private final ExecutorService waiting =
      Executors.newCachedThreadPool(DaemonThreads.named("cairn-histories-wait"));

  /** Leases that others have; only {@link #serving} adds and removes. */
  private final Map<LeaseId, Loan> loans = new ConcurrentHashMap<>();

  /** Leases of this process, and those of which the lender does not know yet that they are over. */
  private final Map<LeaseId, MachineLease> leases = new ConcurrentHashMap<>();

  /** Of open histories, and of closed ones that still lend. */
  private final Set<LentChunks> lent = ConcurrentHashMap.newKeySet();

  /** Devices whose processes live and did not answer; of {@link #desk} alone. */
  private final Set<Integer> silent = new HashSet<>();

  private volatile @Nullable PeerMember member;
  private volatile boolean closing;

  /** Memory that another process borrows. */
  private record Loan(LentChunks chunks, MachineProcess borrower) {}

  private MachinePeers(Path directory, Topology topology, int device, Duration patience)
      throws IOException {
    super(topology, patience);
    this.device = device;
    reports = new Reports(device, topology.devices());
    place = MeetingPlace.open(directory, device, new Service(), patience);
  }

  /**
   * Joins the processes that meet in a directory. They prove a secret to each other, which lies
   * there. One history at a time has the device. Waits at most 30 s for another process, wherever
   * it waits for one.
   *
   * @param directory made if missing, for this user alone
   * @param topology the links between the devices of all processes; equal at all of them
   * @param device the number of this process's device
   * @throws IOException naming the directory, if it cannot be used, or another process has the
   *     device
   * @throws IllegalArgumentException if the topology has no such device
   */
  public static MachinePeers join(Path directory, Topology topology, int device)
      throws IOException {
    return join(directory, topology, device, PATIENCE);
  }

  static MachinePeers join(Path directory, Topology topology, int device, Duration patience)
      throws IOException {
    if (device < 0 || device >= topology.devices()) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "device %d of %d", device, topology.devices()));
    }
    MachinePeers peers = new MachinePeers(directory, topology, device, patience);
    try {
      peers.place.announce();
    } catch (IOException | RuntimeException e) {
      OpenParts.closeAfter(peers, e);
      throw e;
    }
    peers.begin();
    return peers;
  }

  private void begin() {
    Runnable look = DaemonThreads.watched(SERVING, this::look);
    var unused =
        serving.scheduleWithFixedDelay(look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    later(this::announce);
  }

  /** The number of this process's device. */
  int device() {
    return device;
  }

  @Override
  String shelf() {
    return "other processes' memory";
  }

  @Override
  String borrower() {
    return place.newHolder();
  }

  @Override
  void requireFree(int number, int chunkBytes) {
    if (member != null) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "device %d of %s has a history; each needs one of its own",
              number,
              place));
    }
  }

  @Override
  synchronized void join(PeerMember joined) {
    requireFree(device, joined.lent.chunkBytes());
    lent.removeIf(one -> one.bytes() == 0);
    lent.add(joined.lent);
    member = joined;
  }

  @Override
  void report(PeerMember from, long chunks) {
    later(
        () -> {
          var unused = reports.report(from.lent.chunkBytes(), chunks);
          announce();
        });
  }

  @Override
  synchronized void leave(PeerMember left) {
    if (member == left) {
      member = null;
      later(
          () -> {
            var unused = reports.withdraw();
            announce();
          });
    }
  }

  @Override
  LeaseLink connect(int lender) throws IOException {
    return new MachineLease(place.find(lender), leases, waiting);
  }

  /** The memory that this process borrows now, in bytes. */
  public long borrowedBytes() {
    PeerMember now = member;
    return now == null ? 0 : now.borrowed.usedBytes();
  }

  /** The memory that this process lends now, in bytes; that of closed histories is among it. */
  public long lentBytes() {
    return lent.stream().mapToLong(LentChunks::bytes).sum();
  }

  private void later(Runnable task) {
    try {
      desk.execute(task);
    } catch (RejectedExecutionException e) {
      LOG.debug("device {} of {} is closed", device, place, e);
    }
  }

  /** Sends the own report to all others, and learns theirs. */
  private void announce() {
    for (int other = 0; other < topology.devices(); other++) {
      if (other != device) {
        announce(other);
      }
    }
    plan();
  }

  private void announce(int other) {
    try (MachineProcess process = place.find(other)) {
      tell(other, process);
    } catch (IOException | IllegalArgumentException e) { // it learns the report when it joins
      LOG.debug("device {} of {} has no process", other, place, e);
    }
  }

  private void tell(int other, MachineProcess process) {
    try {
      PeerRequest own = new PeerRequest.Desk(reports.own());
      var unused = hear(process.ask(own, PeerRequest.Desk.class));
      silent.remove(other);
    } catch (IOException | IllegalArgumentException e) {
      if (process.isGone() || !silent.add(other)) {
        LOG.debug("device {} of {} does not answer", other, place, e);
      } else {
        LOG.warn(
            "the process of device {} of {} lives, but does not answer: no history borrows until"
                + " it does. Processes in containers need the same network and version",
            other,
            place,
            e);
      }
    }
  }

  /** Returns the own report. */
  private PeerRequest.Desk hear(PeerRequest.Desk desk) {
    if (desk.message() instanceof Report report) {
      return new PeerRequest.Desk(reports.heard(report));
    }
    throw new IllegalArgumentException("histories do not take " + desk.message());
  }

  /** Borrows by a plan, if all have reported. */
  private void plan() {
    PeerMember borrower = member;
    Map<Integer, Long> chunks = reports.plan();
    if (chunks != null && borrower != null) {
      borrowPlanned(borrower, chunks);
      borrowRest(borrower);
      borrower.borrowed.use();
    }
  }

  /**
   * Lends to a process whose death can be noticed.
   *
   * @throws IOException if it has no place here
   * @throws IllegalArgumentException if the lease was granted before
   */
  private LeaseAnswer lend(LeaseRequest.Acquire request, LentChunks chunks) throws IOException {
    LeaseId id = request.id();
    if (loans.containsKey(id)) {
      throw new IllegalArgumentException(id + " is lent already");
    }
    loans.put(id, new Loan(chunks, place.find(id.holder()))); // first, since it may be recalled
    boolean lends = false;
    try {
      LeaseAnswer answer = chunks.acquire(request, this::vacate);
      lends = answer instanceof LeaseAnswer.Granted;
      return answer;
    } finally {
      if (!lends) {
        release(id);
      }
    }
  }

  /** Asks a borrower for its chunks, without a wait: the caller may be interrupted. */
  private void vacate(LeaseId id) {
    Loan loan = loans.get(id);
    if (loan != null) {
      var unused =
          loan.borrower()
              .send(new PeerRequest.Vacate(id), Vacated.class)
              .thenAcceptAsync(answer -> vacated(id, answer), serving)
              .whenComplete((done, failure) -> keep(loan, id, failure));
    }
  }

  /** A borrower that has moved its states, or never had the lease, writes nothing there. */
  private void vacated(LeaseId id, Vacated answer) {
    if (answer.moved()) {
      release(id);
    }
  }

  private static void keep(Loan loan, LeaseId id, @Nullable Throwable failure) {
    if (failure != null) {
      LOG.debug("the borrower of {} may not have heard that it is to move", id, failure);
    }
    loan.chunks().keep(id);
  }

  /** The borrower of a lease writes there no more, nor later, if its request is still to come. */
  private void release(LeaseId id) {
    Loan loan = loans.remove(id);
    PeerMember lender = member;
    if (loan != null) {
      loan.chunks().release(id).ifPresent(waiting::execute);
      loan.borrower().close();
    } else if (lender != null) {
      lender.lent.release(id).ifPresent(waiting::execute);
    }
  }

  /** Looks who died, and who does not know yet that a lease is over. */
  private void look() {
    loans.forEach(
        (id, loan) -> {
          if (loan.borrower().isGone()) {
            release(id);
          }
        });
    leases.values().forEach(MachineLease::look);
    endUnused();
  }

  /**
   * Ends what others reach, if this process leaves, and no memory is lent or borrowed. A copy that
   * hangs may write to memory that it borrowed.
   */
  private void endUnused() {
    if (closing
        && !serving.isShutdown()
        && loans.isEmpty()
        && leases.values().stream().allMatch(MachineLease::isClosed)) {
      serving.shutdown();
      waiting.shutdown();
      place.close();
    }
  }

  /** Answers other processes. */
  private final class Service implements PeerService {
    @Override
    public CompletionStage<byte[]> answer(byte[] question) {
      PeerRequest request = Wire.decode(question, PeerRequest.class);
      CompletionStage<? extends Message> answer =
          request instanceof PeerRequest.Vacate vacate
              ? vacate(vacate.lease())
              : CompletableFuture.supplyAsync(() -> answer(request), serving);
      return answer.thenApply(Wire::encode);
    }

    private CompletionStage<Vacated> vacate(LeaseId id) {
      MachineLease lease = leases.get(id);
      return lease == null
          ? CompletableFuture.completedFuture(new Vacated(true))
          : lease.vacate().thenApply(Vacated::new);
    }

    private Message answer(PeerRequest request) {
      PeerMember lender = member;
      if (request instanceof PeerRequest.Desk desk) {
        PeerRequest.Desk own = hear(desk);
        later(MachinePeers.this::plan);
        return own;
      } else if (request instanceof PeerRequest.Greet) {
        return lender == null ? NOTHING : lender.lent.greeting();
      } else if (request instanceof PeerRequest.Lease lease
          && lease.request() instanceof LeaseRequest.Acquire acquire) {
        return new PeerReply.Leased(lend(lender, acquire));
      } else if (request instanceof PeerRequest.Lease lease
          && lease.request() instanceof LeaseRequest.Release release) {
        MachinePeers.this.release(release.id());
        return new PeerReply.Leased(new LeaseAnswer.Released(release.id()));
      }
      throw new IllegalArgumentException("histories do not answer " + request);
    }

    private LeaseAnswer lend(@Nullable PeerMember lender, LeaseRequest.Acquire request) {
      if (lender == null || closing) {
        return new LeaseAnswer.Refused(request.id(), "no history lends there");
      }
      try {
        return MachinePeers.this.lend(request, lender.lent);
      } catch (IOException e) {
        throw new UncheckedIOException(e.getMessage(), e);
      }
    }
  }

  /**
   * Leaves the others. Takes back what this process lends, and waits for that, unless it is
   * interrupted. Memory that borrowers cannot spare stays theirs until they end, or this process
   * does. To be called after the histories were closed, and before the device is. Idempotent.
   */
  @Override
  public void close() {
    closing = true;
    desk.shutdown();
    lent.forEach(one -> one.recall(patience));
    place.leave();
    try {
      serving.submit(this::endUnused).get(patience.toNanos(), TimeUnit.NANOSECONDS);
      if (waiting.isShutdown()
          && !waiting.awaitTermination(patience.toNanos(), TimeUnit.NANOSECONDS)) {
        LOG.warn("memory that device {} of {} lent is still being freed", device, place);
      }
    } catch (RejectedExecutionException e) {
      LOG.debug("device {} of {} was closed before", device, place, e);
    } catch (InterruptedException e) { // it ends at the next look
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("device {} of {} was not left in order", device, place, e);
    }
  }
}
