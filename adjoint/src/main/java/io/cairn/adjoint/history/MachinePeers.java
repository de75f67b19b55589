package io.cairn.adjoint.history;

import io.cairn.adjoint.history.LoanMessage.Borrow;
import io.cairn.adjoint.history.LoanMessage.Lent;
import io.cairn.adjoint.history.LoanMessage.Report;
import io.cairn.core.flow.Topology;
import io.cairn.core.threads.DaemonThreads;
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
public final class MachinePeers implements AutoCloseable {
  /*
   * The connection is the lease
   *
   * A borrower writes straight into memory that it has mapped, so its lender cannot stop a write.
   * The chunks of a loan are therefore the borrower's as long as their connection lasts. An orderly
   * borrower ends it after its last copy. The kernel ends it after the last thread of a dead one. A
   * lender that wants its memory asks for it and waits; it never takes it. So there is no promise
   * that could end early, and no quarantine.
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
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Topology topology;
  private final int device;
  private final Duration patience;
  private final LoanReports reports;
  private final LoanSocket socket;
  private final ExecutorService desk =
      Executors.newSingleThreadExecutor(DaemonThreads.named("cairn-loans"));

  /** Of open histories, and of closed ones that still lend. */
  private final Set<GivenLoans> given = ConcurrentHashMap.newKeySet();

  private volatile @Nullable MachineMember member;

  private MachinePeers(LoanSocket socket, Topology topology, int device, Duration patience) {
    this.socket = socket;
    this.topology = topology;
    this.device = device;
    this.patience = patience;
    reports = new LoanReports(device, topology.devices());
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
    LoanSocket socket = LoanSocket.open(directory, device);
    MachinePeers peers = new MachinePeers(socket, topology, device, patience);
    socket.serve(peers::serve);
    peers.later(peers::announce);
    return peers;
  }

  /** This process as a history finds it. */
  Lenders lenders() {
    return new Lenders() {
      @Override
      public String shelf() {
        return "other processes' memory";
      }

      @Override
      public void requireFree(int chunkBytes) {
        MachinePeers.this.requireFree();
      }

      @Override
      public Loans join(LoanMemory memory) {
        return MachinePeers.this.join(memory);
      }
    };
  }

  private void requireFree() {
    if (member != null) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "device %d of %s has a history; each needs one of its own",
              device,
              socket));
    }
  }

  private synchronized MachineMember join(LoanMemory memory) {
    requireFree();
    MachineMember joined = new MachineMember(this, memory);
    given.removeIf(one -> one.chunks() == 0);
    given.add(joined.given);
    member = joined;
    return joined;
  }

  /** A history is closed. */
  synchronized void leave(MachineMember left) {
    if (member == left) {
      member = null;
      later(
          () -> {
            reports.withdraw();
            announce();
          });
    }
  }

  /** The history was told what to expect: chunks to spare, or missing ones below zero. */
  void report(int chunkBytes, long chunks) {
    later(
        () -> {
          reports.report(chunkBytes, chunks);
          announce();
        });
  }

  /** The longest wait for another process. */
  Duration patience() {
    return patience;
  }

  /** The memory that this process borrows now, in bytes. */
  public long borrowedBytes() {
    MachineMember now = member;
    return now == null ? 0 : now.taken.used() * now.memory.chunkBytes();
  }

  /** The memory that this process lends now, in bytes; that of closed histories is among it. */
  public long lentBytes() {
    return given.stream().mapToLong(GivenLoans::bytes).sum();
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
    try (LoanChannel channel = socket.connect(other)) {
      channel.send(reports.own());
      reports.heard(channel.receive(Report.class, patience));
    } catch (IOException | IllegalArgumentException e) { // it learns the report when it joins
      LOG.debug("device {} of {} does not answer", other, socket, e);
    }
  }

  private void serve(SocketChannel accepted) {
    try (LoanChannel channel = new LoanChannel(accepted)) {
      LoanMessage first = channel.receive(LoanMessage.class, patience);
      if (first instanceof Report report) {
        channel.send(reports.heard(report));
        later(this::plan);
      } else if (first instanceof Borrow borrow) {
        lend(channel, borrow);
      } else {
        throw new IOException("no connection begins with " + first);
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("device {} of {} did not serve another process", device, socket, e);
    }
  }

  private void lend(LoanChannel channel, Borrow request) throws IOException {
    MachineMember lender = member;
    if (lender == null) {
      channel.send(new Lent(List.of(), List.of()));
    } else {
      lender.given.serve(channel, request);
    }
  }

  /** Borrows by a plan, if all have reported. */
  private void plan() {
    MachineMember borrower = member;
    Map<Integer, Long> chunks = reports.plan();
    if (chunks == null || borrower == null) {
      return;
    }
    try {
      for (LoanPlan.Loan loan : LoanPlan.of(topology, chunks, borrower.memory.chunkBytes())) {
        if (loan.borrower() == device) {
          borrow(borrower, loan.lender(), loan.chunks());
        }
      }
      borrowWhatNothingElseTakes(borrower);
    } catch (RuntimeException e) {
      LOG.warn("device {} of {} borrows nothing more", device, socket, e);
    }
    borrower.taken.use();
  }

  /** The plan leaves a part to the places below, however much room they have. */
  private void borrowWhatNothingElseTakes(MachineMember borrower) {
    for (int lender = 0; lender < topology.devices(); lender++) {
      if (lender != device && topology.linkBytesPerSecond(device, lender) > 0) {
        borrow(borrower, lender, borrower.homelessChunks());
      }
    }
  }

  private void borrow(MachineMember borrower, int lender, long chunks) {
    if (chunks <= 0 || !borrower.taken.mayBorrow()) {
      return;
    }
    int most = (int) Math.min(chunks, LoanMessage.MOST_CHUNKS);
    try {
      borrow(borrower, lender, most);
    } catch (IOException e) {
      LOG.warn("device {} of {} lends nothing", lender, socket, e);
    }
  }

  private void borrow(MachineMember borrower, int lender, int most) throws IOException {
    LoanChannel channel = socket.connect(lender);
    Lent lent;
    try {
      channel.send(new Borrow(device, borrower.memory.chunkBytes(), most));
      lent = channel.receive(Lent.class, patience);
      if (lent.chunks() > most) {
        throw new IOException(
            String.format(Locale.ROOT, "%d chunks; %d were asked for", lent.chunks(), most));
      }
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
    borrower.taken.add(lender, channel, lent);
  }

  /**
   * Leaves the others. Takes back what this process lends, and waits for that; what borrowers have
   * no other room for stays theirs until they end, or this process does. To be called after the
   * histories were closed, and before the device is. Idempotent.
   */
  @Override
  public void close() {
    socket.stop();
    desk.shutdown();
    given.forEach(loans -> loans.recall(patience));
    socket.close();
  }
}
