package io.cairn.engine.sharing.borrower;

import io.cairn.core.sharing.LeaseId;
import io.cairn.core.sharing.LeaseRequest;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.engine.sharing.peer.Peers;
import java.util.NavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Releases of leases, each repeated until its lender answers or is proven dead. A lender that was
 * suspended may return after hours, and nothing else gives it back slots whose borrower lives.
 * Thread-safe; one thread repeats them.
 */
final class Releases {
  /** So often a release is sent in each round, about once a second. */
  private static final int OFTEN = 60;

  /** From then on, it is sent once in so many rounds. */
  private static final int SELDOM = 60;

  /** The most that wait; of more, the oldest are given up at last. */
  private static final int MOST = 100_000;

  private final Peers peers;

  /** By the nonces of their leases, which rise. */
  private final NavigableMap<Long, Release> unanswered = new ConcurrentSkipListMap<>();

  private int round;

  Releases(Peers peers) {
    this.peers = peers;
  }

  /** A release that the lender has not answered. */
  private record Release(LeaseId id, String lender, AtomicInteger failures) {}

  /** Releases a lease that no chunk needs and no copy uses any more. */
  void send(LeaseId id, String lender) {
    Release release = new Release(id, lender, new AtomicInteger());
    unanswered.put(id.nonce(), release);
    send(release);
  }

  private void send(Release release) {
    peers
        .ask(
            release.lender(),
            new PeerRequest.Lease(new LeaseRequest.Release(release.id())),
            PeerReply.Leased.class)
        .whenComplete(
            (answer, failure) -> {
              if (failure == null) {
                unanswered.remove(release.id().nonce());
              } else {
                release.failures().incrementAndGet();
              }
            });
  }

  /** Repeats the releases that were not answered, the oldest first. */
  void sendAgain() {
    boolean all = round++ % SELDOM == 0;
    for (int over = unanswered.size() - MOST; over > 0; over--) {
      unanswered.pollFirstEntry();
    }
    for (Release release : unanswered.values()) {
      if (all || release.failures().get() < OFTEN) {
        send(release);
      }
    }
  }

  /** Forgets the releases to a lender that is proven dead. */
  void forget(String lender) {
    unanswered.values().removeIf(release -> release.lender().equals(lender));
  }
}
