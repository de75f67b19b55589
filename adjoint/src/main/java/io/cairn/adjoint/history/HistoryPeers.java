package io.cairn.adjoint.history;

import io.cairn.core.flow.Topology;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Histories of one process that lend each other memory of their devices. As soon as each of them
 * was told what to expect, a flow plan says who lends how much to whom. A history lends only chunks
 * that the states to come leave free. Thread-safe.
 *
 * <pre>{@code
 * HistoryPeers peers = new HistoryPeers(Topology.uniform(2, 24e9, 12e9));
 * History.open(HistoryPlaces.on(gpu0).withPeers(peers, 0), settings0);
 * History.open(HistoryPlaces.on(gpu1).withPeers(peers, 1), settings1);
 * }</pre>
 */
public final class HistoryPeers {
  private static final Logger LOG = LoggerFactory.getLogger(HistoryPeers.class);

  private final Topology topology;
  private final Map<Integer, PeerMember> members = new HashMap<>();

  /** Of each device that was told what to expect: chunks to spare, or missing ones below zero. */
  private final Map<Integer, Long> reports = new HashMap<>();

  /**
   * No history yet.
   *
   * @param topology the links between the devices, one for each history
   */
  public HistoryPeers(Topology topology) {
    this.topology = topology;
  }

  /** The histories as one on this device finds them. */
  Lenders at(int device) {
    return new Lenders() {
      @Override
      public String shelf() {
        return "peers' memory";
      }

      @Override
      public void requireFree(int chunkBytes) {
        HistoryPeers.this.requireFree(device, chunkBytes);
      }

      @Override
      public Loans join(LoanMemory memory) {
        return HistoryPeers.this.join(device, memory);
      }
    };
  }

  /**
   * Checks that a history may join with this device.
   *
   * @throws IllegalArgumentException if there is no such device, another history has it, or chunks
   *     have another length
   */
  synchronized void requireFree(int device, int chunkBytes) {
    if (device < 0 || device >= topology.devices() || members.containsKey(device)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "device %d of %d; each history needs one of its own",
              device,
              topology.devices()));
    }
    for (PeerMember other : members.values()) {
      if (other.chunkBytes() != chunkBytes) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "chunks of %d bytes; the other histories have %d",
                chunkBytes,
                other.chunkBytes()));
      }
    }
  }

  synchronized PeerMember join(int device, LoanMemory memory) {
    requireFree(device, memory.chunkBytes());
    PeerMember member = new PeerMember(this, device, memory);
    members.put(device, member);
    return member;
  }

  /** A history was told what to expect. The last one of all makes the plan. */
  synchronized void report(PeerMember member) {
    member.giveBack();
    long spare = member.spareChunks();
    reports.put(member.device(), member.mayBorrow() ? spare : Math.max(0, spare));
    if (reports.size() == topology.devices()) {
      lend(member.chunkBytes());
      reports.clear();
    }
  }

  /**
   * A history is closed. It neither borrows nor lends from now on.
   *
   * @param release frees its memory; runs as soon as nobody borrows it
   */
  synchronized void leave(PeerMember member, Runnable release) {
    member.giveBack();
    members.remove(member.device());
    reports.remove(member.device());
    member.afterLeases(release);
  }

  /** A history needs what it lent. Its borrowers move their states elsewhere, if they can. */
  boolean recall(PeerMember lender) {
    List<PeerMember> borrowers;
    synchronized (this) {
      borrowers = members.values().stream().filter(member -> member.borrowsFrom(lender)).toList();
    }
    boolean came = false;
    for (PeerMember borrower : borrowers) {
      if (borrower.evacuate()) {
        synchronized (this) {
          borrower.giveBack();
        }
        came = true;
      }
    }
    return came;
  }

  private void lend(int chunkBytes) {
    try {
      for (LoanPlan.Loan loan : LoanPlan.of(topology, reports, chunkBytes)) {
        grant(loan.borrower(), loan.lender(), loan.chunks());
      }
      grantWhatNothingElseTakes();
    } catch (IOException | RuntimeException e) {
      LOG.warn("no device lends to another; states go to the places below", e);
    }
    members.values().forEach(PeerMember::use);
  }

  /** The plan sends a part to the places below, however much room they have. */
  private void grantWhatNothingElseTakes() throws IOException {
    for (PeerMember borrower : members.values()) {
      for (PeerMember lender : members.values()) {
        if (borrower != lender
            && topology.linkBytesPerSecond(borrower.device(), lender.device()) > 0) {
          grant(borrower.device(), lender.device(), borrower.homelessChunks());
        }
      }
    }
  }

  private void grant(int from, int to, long chunks) throws IOException {
    PeerMember borrower = members.get(from);
    PeerMember lender = members.get(to);
    if (borrower != null && lender != null && borrower.mayBorrow()) {
      borrower.borrow(lender, chunks);
    }
  }
}
