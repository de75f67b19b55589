package io.cairn.adjoint.history;

import io.cairn.core.flow.Topology;
import io.cairn.core.sharing.DeskMessage.Report;
import io.cairn.core.sharing.LeaseAnswer;
import io.cairn.core.sharing.LeaseId;
import io.cairn.core.sharing.LeaseRequest;
import io.cairn.core.threads.DaemonThreads;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerReply.Greeting;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
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
   * The connection is the lease
   *
   * A borrower writes straight into memory that it has mapped, so its lender cannot stop a write.
   * A lease therefore lasts as long as its connection. An orderly borrower ends it after its last
   * copy. The kernel ends it after the last thread of a dead one. Both are a release to the lease
   * book. A lender that wants its memory asks for it; until the end of the connection the chunks
   * wait in quarantine. The lender never closes a connection first, since that proves nothing.
   *
   * Death of a lender
   *
   * The end of the connection shows it. From then on no byte is read or written there, although
   * shared memory would still have it. States that lay there alone are lost.
   *
   * Plans
   *
   * Each process knows the newest report of each other one, and all compute the same plan. A
   * process uses its own report only after it sent it to all others, so that none misses a plan. A
   * lender's ledger has the last word, so a process with an old report does no harm.
   *
   * Threads
   *
   * One thread reports, plans and borrows. One takes connections; each has a thread of its own.
   */
  private static final Logger LOG = LoggerFactory.getLogger(MachinePeers.class);

  /** Long enough for a borrower that moves gigabytes to files. */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  /** The memory of a process without a history. */
  private static final Greeting NOTHING = new Greeting("", "", 1, List.of());

  private final int device;
  private final Reports reports;
  private final MachineSocket socket;
  private final ExecutorService desk =
      Executors.newSingleThreadExecutor(DaemonThreads.named("cairn-histories"));

  /** Of open histories, and of closed ones that still lend. */
  private final Set<LentChunks> lent = ConcurrentHashMap.newKeySet();

  private volatile @Nullable PeerMember member;

  private MachinePeers(MachineSocket socket, Topology topology, int device, Duration patience) {
    super(topology, patience);
    this.socket = socket;
    this.device = device;
    reports = new Reports(device, topology.devices());
  }

  /**
   * Joins the processes that meet in a directory. One history at a time has the device. Waits at
   * most 30 s for another process, wherever it waits for one.
   *
   * @param directory made if missing, for this user alone; the paths of its sockets have at most
   *     107 bytes
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
    MachineSocket socket = MachineSocket.open(directory, device);
    MachinePeers peers = new MachinePeers(socket, topology, device, patience);
    socket.serve(peers::serve);
    peers.later(peers::announce);
    return peers;
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
  void requireFree(int number, int chunkBytes) {
    if (member != null) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "device %d of %s has a history; each needs one of its own",
              number,
              socket));
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
    return new SocketLink(lender, socket.connect(lender));
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
      LOG.debug("device {} of {} is closed", device, socket, e);
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
    try (MachineChannel channel = socket.connect(other)) {
      channel.send(Wire.encode(new PeerRequest.Desk(reports.own())));
      hear(Wire.decode(channel.receive(patience), PeerRequest.class));
    } catch (IOException | IllegalArgumentException e) { // it learns the report when it joins
      LOG.debug("device {} of {} does not answer", other, socket, e);
    }
  }

  /** Returns the own report. */
  private Report hear(PeerRequest request) {
    if (request instanceof PeerRequest.Desk desk && desk.message() instanceof Report report) {
      return reports.heard(report);
    }
    throw new IllegalArgumentException("no connection begins with " + request);
  }

  private void serve(SocketChannel accepted) {
    try (MachineChannel channel = new MachineChannel(accepted)) {
      PeerRequest first = Wire.decode(channel.receive(patience), PeerRequest.class);
      if (first instanceof PeerRequest.Greet) {
        lend(channel);
      } else {
        channel.send(Wire.encode(new PeerRequest.Desk(hear(first))));
        later(this::plan);
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("device {} of {} did not serve another process", device, socket, e);
    }
  }

  private void lend(MachineChannel channel) throws IOException {
    PeerMember lender = member;
    channel.send(Wire.encode(lender == null ? NOTHING : lender.lent.greeting()));
    byte[] next;
    try {
      next = channel.receive(patience);
    } catch (EOFException e) {
      LOG.debug("a process needs nothing of device {} of {}", device, socket, e);
      return;
    }
    if (lender != null
        && Wire.decode(next, PeerRequest.class) instanceof PeerRequest.Lease lease
        && lease.request() instanceof LeaseRequest.Acquire request) {
      lend(channel, request, lender.lent);
    }
  }

  /** Lends until the borrower ends the connection, since it may write until then. */
  private void lend(MachineChannel channel, LeaseRequest.Acquire request, LentChunks chunks)
      throws IOException {
    LeaseAnswer answer = chunks.acquire(request, id -> vacate(channel, id));
    try {
      channel.send(Wire.encode(new PeerReply.Leased(answer)));
      for (byte[] next = channel.receive(); next != null; next = channel.receive()) {
        var unused = Wire.decode(next, PeerReply.Vacated.class);
        chunks.keep(request.id());
      }
    } catch (IOException | IllegalArgumentException e) {
      LOG.warn("a borrower does not keep to the rules of {}", request.id(), e);
    } finally {
      if (channel.awaitEnd()) {
        chunks.release(request.id());
      }
    }
  }

  /** Has a thread of its own: an interruption of the caller would end the connection. */
  private static void vacate(MachineChannel channel, LeaseId id) {
    DaemonThreads.unstarted("cairn-vacate", () -> sendVacate(channel, id)).start();
  }

  private static void sendVacate(MachineChannel channel, LeaseId id) {
    try {
      channel.send(Wire.encode(new PeerRequest.Vacate(id)));
    } catch (IOException e) { // its end is noticed by the thread that waits for it
      LOG.debug("{} ends at this moment", id, e);
    }
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

  /** A connection to a lender, which lasts as long as its lease. */
  private final class SocketLink implements LeaseLink {
    private final int lender;
    private final MachineChannel channel;

    SocketLink(int lender, MachineChannel channel) {
      this.lender = lender;
      this.channel = channel;
    }

    @Override
    public Greeting greet() throws IOException {
      return ask(new PeerRequest.Greet(), Greeting.class);
    }

    @Override
    public LeaseAnswer acquire(LeaseRequest.Acquire request) throws IOException {
      return ask(new PeerRequest.Lease(request), PeerReply.Leased.class).answer();
    }

    private <R extends PeerReply> R ask(PeerRequest request, Class<R> expected) throws IOException {
      channel.send(Wire.encode(request));
      return Wire.decode(channel.receive(patience), expected);
    }

    @Override
    public void listen(Runnable vacate, Runnable gone) {
      DaemonThreads.unstarted("cairn-borrowed-" + lender, () -> await(vacate, gone)).start();
    }

    private void await(Runnable vacate, Runnable gone) {
      try {
        for (byte[] next = channel.receive(); next != null; next = channel.receive()) {
          if (!(Wire.decode(next, PeerRequest.class) instanceof PeerRequest.Vacate)) {
            throw new IOException("a lender does not send this");
          }
          vacate.run();
        }
      } catch (IOException | IllegalArgumentException e) {
        LOG.debug("the connection to device {} ended", lender, e);
      }
      gone.run();
    }

    @Override
    public void keep() {
      try {
        channel.send(Wire.encode(new PeerReply.Vacated(false)));
      } catch (IOException e) { // its end is noticed by the thread that listens
        LOG.debug("device {} ends at this moment", lender, e);
      }
    }

    @Override
    public void close() {
      channel.close();
    }
  }

  /**
   * Leaves the others. Takes back what this process lends, and waits for that, unless it is
   * interrupted. Memory that borrowers cannot spare stays theirs until they end, or this process
   * does. To be called after the histories were closed, and before the device is. Idempotent.
   */
  @Override
  public void close() {
    socket.stop();
    desk.shutdown();
    lent.forEach(one -> one.recall(patience));
    socket.close();
  }
}
