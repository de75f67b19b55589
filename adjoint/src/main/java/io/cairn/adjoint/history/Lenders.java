package io.cairn.adjoint.history;

import io.cairn.core.flow.FlowProblem;
import io.cairn.core.flow.ParametricFlowScheduler;
import io.cairn.core.flow.Topology;
import io.cairn.core.flow.Transfer;
import io.cairn.core.flow.TransferPlan;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Histories that lend each other memory of their devices, by a flow plan. The same reports give the
 * same plan. Thread-safe.
 */
abstract class Lenders {
  private static final Logger LOG = LoggerFactory.getLogger(Lenders.class);

  /** The links between the devices. */
  final Topology topology;

  /** The longest wait for another history. */
  final Duration patience;

  Lenders(Topology topology, Duration patience) {
    this.topology = topology;
    this.patience = patience;
  }

  /** The name of their memory, for messages and counts. */
  abstract String shelf();

  /** A name for a history that borrows, which no other one has. */
  abstract String borrower();

  /**
   * Checks that a history may join.
   *
   * @param device its number
   * @throws IllegalArgumentException if another one has this device, or chunks have another length
   */
  abstract void requireFree(int device, int chunkBytes);

  /**
   * A history joins.
   *
   * @throws IllegalArgumentException as {@link #requireFree}
   */
  abstract void join(PeerMember member);

  /** The history was told what to expect: chunks to spare, or missing ones below zero. */
  abstract void report(PeerMember member, long chunks);

  /** The history is closed. */
  abstract void leave(PeerMember member);

  /**
   * A way to a lender.
   *
   * @throws IOException if it has ended
   */
  abstract LeaseLink connect(int lender) throws IOException;

  /**
   * Borrows what the plan says. It sends a part to the places below, however much room they have.
   *
   * @param reports of each device: chunks to spare, or missing ones below zero
   */
  final void borrowPlanned(PeerMember borrower, Map<Integer, Long> reports) {
    int chunkBytes = borrower.lent.chunkBytes();
    for (Transfer transfer : plan(reports, chunkBytes)) {
      if (transfer.from() == borrower.device && !transfer.toHost()) {
        borrow(borrower, transfer.to(), Math.round(transfer.bytes() / chunkBytes));
      }
    }
  }

  private List<Transfer> plan(Map<Integer, Long> reports, int chunkBytes) {
    long[] remainder = new long[topology.devices()];
    long[] spare = new long[topology.devices()];
    reports.forEach(
        (device, chunks) -> {
          remainder[device] = Math.max(0, -chunks) * chunkBytes;
          spare[device] = Math.max(0, chunks) * chunkBytes;
        });
    try {
      FlowProblem problem = new FlowProblem(topology, remainder, spare, chunkBytes);
      return new ParametricFlowScheduler().schedule(problem) instanceof TransferPlan plan
          ? plan.transfers()
          : List.of();
    } catch (RuntimeException e) {
      LOG.warn("there is no plan; states go to the places below", e);
      return List.of();
    }
  }

  /** Borrows what no place below has room for. */
  final void borrowRest(PeerMember borrower) {
    for (int lender = 0; lender < topology.devices(); lender++) {
      if (lender != borrower.device && topology.linkBytesPerSecond(borrower.device, lender) > 0) {
        borrow(borrower, lender, borrower.borrowed.homelessChunks());
      }
    }
  }

  /** By as many leases as it takes, until the lender has no more. */
  private void borrow(PeerMember borrower, int lender, long chunks) {
    try {
      long left = chunks;
      for (long came = 1; left > 0 && came > 0 && borrower.borrowed.mayBorrow(); left -= came) {
        came = borrower.borrowed.borrow(lender, connect(lender), left);
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("device {} lends nothing more to device {}", lender, borrower.device, e);
    }
  }
}
