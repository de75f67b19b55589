package io.cairn.engine.sharing.borrower;

import io.cairn.core.sharing.LeaseId;
import io.cairn.core.sharing.LeaseRequest;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.engine.sharing.peer.Peers;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Releases of leases, each repeated until its lender answers or is gone. Thread-safe. */
final class Releases {
  /** A release is sent about once a second; after so many, the lender counts as gone. */
  private static final int MOST = 3600;

  private final Peers peers;
  private final Map<LeaseId, Release> unanswered = new ConcurrentHashMap<>();

  Releases(Peers peers) {
    this.peers = peers;
  }

  /** A release that the lender has not answered. */
  private record Release(String lender, AtomicInteger failures) {}

  /** Releases a lease that no chunk needs and no copy uses any more. */
  void send(LeaseId id, String lender) {
    Release release = new Release(lender, new AtomicInteger());
    unanswered.put(id, release);
    send(id, release);
  }

  private void send(LeaseId id, Release release) {
    peers
        .ask(
            release.lender(),
            new PeerRequest.Lease(new LeaseRequest.Release(id)),
            PeerReply.Leased.class)
        .whenComplete(
            (answer, failure) -> {
              // an unanswered release is sent again
              if (failure == null || release.failures().incrementAndGet() > MOST) {
                unanswered.remove(id);
              }
            });
  }

  /** Repeats the releases that were not answered, the oldest first. */
  void sendAgain() {
    unanswered.keySet().stream()
        .sorted(Comparator.comparingLong(LeaseId::nonce))
        .forEach(
            id -> Optional.ofNullable(unanswered.get(id)).ifPresent(release -> send(id, release)));
  }

  /** Forgets the releases to a lender that is proven dead. */
  void forget(String lender) {
    unanswered.values().removeIf(release -> release.lender().equals(lender));
  }
}
