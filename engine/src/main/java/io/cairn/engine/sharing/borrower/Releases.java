package io.cairn.engine.sharing.borrower;

import io.cairn.core.sharing.LeaseId;
import io.cairn.core.sharing.LeaseRequest;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.engine.sharing.peer.Peers;
import java.util.NavigableMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Releases of leases, each repeated until its lender answers or is proven dead, which only one on
 * this machine can be. A lender that was suspended may return after hours, and nothing else gives
 * it back slots whose borrower lives. Thread-safe; one thread repeats them.
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

  /** Lenders that are proven dead: none is alive again, since each start has a new id. */
  private final Set<String> dead = ConcurrentHashMap.newKeySet();

  private int round;

  Releases(Peers peers) {
    this.peers = peers;
  }

  /** A release that the lender has not answered; it is asked once at a time. */
  private record Release(LeaseId id, String lender, AtomicInteger failures, AtomicBoolean asked) {}

  /** Releases a lease that no chunk needs and no copy uses any more. */
  void send(LeaseId id, String lender) {
    Release release = new Release(id, lender, new AtomicInteger(), new AtomicBoolean());
    unanswered.put(id.nonce(), release);
    if (dead.contains(lender)) { // asked after it was added, since its lender may die just now
      unanswered.remove(id.nonce());
    } else {
      send(release);
    }
  }

  private void send(Release release) {
    if (!release.asked().compareAndSet(false, true)) {
      return;
    }
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
                release.asked().set(false);
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

  /** Forgets the releases to a lender that is proven dead, and takes no further ones. */
  void forget(String lender) {
    dead.add(lender);
    unanswered.values().removeIf(release -> release.lender().equals(lender));
  }
}
