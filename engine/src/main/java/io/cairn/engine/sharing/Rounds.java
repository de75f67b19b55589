package io.cairn.engine.sharing;

import io.cairn.core.sharing.DeskMessage;
import io.cairn.core.sharing.HolderSite;
import io.cairn.core.threads.DaemonThreads;
import io.cairn.engine.sharing.borrower.Borrower;
import io.cairn.engine.sharing.lender.Lender;
import io.cairn.engine.sharing.peer.HolderId;
import io.cairn.engine.sharing.peer.Peers;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The periodic work of sharing, on a thread of its own. A round registers at the desk again,
 * reports spare slots, repeats releases, ends leases of peers that died, closes memory that peers
 * gave up, and greets the others. Each round begins {@link SharingTerms#round} after the end of the
 * previous one. Thread-safe.
 */
final class Rounds implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Rounds.class);
  static final String THREAD = "cairn-sharing";
  private static final int ROUNDS_PER_REGISTRATION = 5;

  private final HolderSite site;
  private final SharingTerms terms;
  private final DeskLink desk;
  private final Peers peers;
  private final Lender lender;
  private final Borrower borrower;
  private final IntSupplier lendable;
  private final int chunkBytes;
  private final LongSupplier nanoTime;
  private final ScheduledExecutorService thread;

  /** Peers that are gone, and not forgotten yet; the log has them. */
  private final Set<HolderId> told = new HashSet<>();

  private volatile Runnable withoutDesk = () -> {};

  private int round;
  private long beganNanos;

  /**
   * Begins no round before {@link #begin}.
   *
   * @param site this process, as it registers at the desk
   * @param lendable the slots that are spare or lent now
   * @param nanoTime the clock, as {@link System#nanoTime}
   * @param thread ends with this
   */
  Rounds(
      HolderSite site,
      SharingTerms terms,
      DeskLink desk,
      Peers peers,
      Lender lender,
      Borrower borrower,
      IntSupplier lendable,
      int chunkBytes,
      LongSupplier nanoTime,
      ScheduledExecutorService thread) {
    this.site = site;
    this.terms = terms;
    this.desk = desk;
    this.peers = peers;
    this.lender = lender;
    this.borrower = borrower;
    this.lendable = lendable;
    this.chunkBytes = chunkBytes;
    this.nanoTime = nanoTime;
    this.thread = thread;
    this.beganNanos = nanoTime.getAsLong();
  }

  /** Begins the first round at once. */
  void begin() {
    var unused =
        thread.scheduleWithFixedDelay(
            this::round, 0, terms.round().toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Runs this in each round that finds no desk, from now on. */
  void withoutDesk(Runnable action) {
    withoutDesk = action;
  }

  private void round() {
    try {
      if (desk.isGone()) {
        withoutDesk.run();
      }
      if (round++ % ROUNDS_PER_REGISTRATION == 0) {
        desk.send(new DeskMessage.Registered(site));
      }
      desk.send(new DeskMessage.Spare(site.holder(), lendable.getAsInt(), chunkBytes));
      borrower.releaseAgain();
      noteOwnSilence();
      List<Peers.Peer> allGone = peers.gone();
      told.retainAll(allGone.stream().map(Peers.Peer::id).toList());
      for (Peers.Peer gone : allGone) {
        String holder = gone.id().toString();
        if (told.add(gone.id())) {
          LOG.info("{} is {}", holder, gone.isOnThisMachine() ? "gone" : "silent: declared dead");
          // until its own next report
          desk.send(new DeskMessage.Spare(holder, 0, chunkBytes));
        }
        lender.borrowerGone(holder);
        if (borrower.lenderGone(holder, gone.isOnThisMachine())) {
          peers.forget(holder);
        }
      }
      peers.closeGivenUp();
      peers.greetAgain();
    } catch (RuntimeException | Error e) { // one that is thrown would end all further rounds
      DaemonThreads.report(THREAD, e);
    }
  }

  /**
   * Counts chunks on other machines as lost if this process itself was silent for too long, since
   * their holders may have declared it dead.
   */
  private void noteOwnSilence() {
    long now = nanoTime.getAsLong();
    Duration silent = Duration.ofNanos(now - beganNanos);
    beganNanos = now;
    if (silent.compareTo(terms.silence()) > 0) {
      for (Peers.Peer peer : peers.remote()) {
        HolderId id = peer.id();
        LOG.warn("This process was silent for {}: its chunks at {} count as lost", silent, id);
        borrower.lenderGone(id.toString(), false);
      }
    }
  }

  /** Begins no further round. Idempotent. */
  @Override
  public void close() {
    thread.shutdownNow();
  }
}
