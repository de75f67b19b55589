package io.cairn.adjoint.history;

import io.cairn.core.flow.Topology;
import java.io.IOException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

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
public final class HistoryPeers extends Lenders {
  private final Map<Integer, PeerMember> members = new HashMap<>();

  /** Of each device that was told what to expect: chunks to spare, or missing ones below zero. */
  private final Map<Integer, Long> reports = new HashMap<>();

  /**
   * No history yet.
   *
   * @param topology the links between the devices, one for each history
   */
  public HistoryPeers(Topology topology) {
    super(topology, MachinePeers.PATIENCE);
  }

  @Override
  String shelf() {
    return "peers' memory";
  }

  @Override
  String borrower() {
    return "history/" + UUID.randomUUID();
  }

  @Override
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
      if (other.lent.chunkBytes() != chunkBytes) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "chunks of %d bytes; the other histories have %d",
                chunkBytes,
                other.lent.chunkBytes()));
      }
    }
  }

  @Override
  synchronized void join(PeerMember member) {
    requireFree(member.device, member.lent.chunkBytes());
    members.put(member.device, member);
  }

  /** The last one of all makes the plan. */
  @Override
  synchronized void report(PeerMember member, long chunks) {
    reports.put(member.device, chunks);
    if (reports.size() == topology.devices()) {
      members.values().forEach(borrower -> borrowPlanned(borrower, reports));
      members.values().forEach(this::borrowRest);
      members.values().forEach(borrower -> borrower.borrowed.use());
      reports.clear();
    }
  }

  @Override
  synchronized void leave(PeerMember member) {
    members.remove(member.device);
    reports.remove(member.device);
  }

  @Override
  synchronized LeaseLink connect(int lender) throws IOException {
    PeerMember member = members.get(lender);
    if (member == null) {
      throw new IOException("it is closed");
    }
    return member.lent.link();
  }
}
