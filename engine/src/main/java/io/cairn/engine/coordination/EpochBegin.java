package io.cairn.engine.coordination;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.core.protocol.CoordinatorEvent;
import io.cairn.core.protocol.CoordinatorEvent.EpochTaken;
import io.cairn.core.protocol.Origin;
import io.cairn.core.protocol.RankSurvey;
import io.cairn.core.protocol.Standing;
import io.cairn.flush.commit.GroupBirth;
import io.cairn.flush.commit.GroupMemory;
import io.cairn.flush.commit.Inventory;
import io.cairn.flush.restore.ListedHoldings;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the epochs of one group, and tries a store that fails for as long as {@code store.patience}
 * says; one that refuses it for good is tried once. Then it lists the group for all ranks, and
 * reads what an earlier coordinator learned. The store's thread alone uses it, but for {@link
 * #resized}.
 */
final class EpochBegin {
  private static final Logger LOG = LoggerFactory.getLogger(EpochBegin.class);

  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(16);

  private final HostContext context;
  private final GroupId group;
  private final EpochWatch epochs;
  private final GroupMemory memory;
  private final Consumer<CoordinatorEvent> events;
  private final Consumer<Runnable> storing;

  /** Whether this group's measurements were read, or need not be. */
  private volatile boolean remembered;

  /** The wait for a store in which no epoch could be taken; null while there is none. */
  private @Nullable StoreWait wait;

  /** When the claim of an epoch that began without one is tried next, and the pause after that. */
  private long claimNanos;

  private long pauseNanos = FIRST_PAUSE_NANOS;

  /**
   * Nothing is taken yet.
   *
   * @param events receives the result of each {@link #run}
   * @param storing runs a task on the store's thread
   */
  EpochBegin(
      HostContext context,
      GroupId group,
      EpochWatch epochs,
      GroupMemory memory,
      Consumer<CoordinatorEvent> events,
      Consumer<Runnable> storing) {
    this.context = context;
    this.group = group;
    this.epochs = epochs;
    this.memory = memory;
    this.events = events;
    this.storing = storing;
  }

  /** Another coordinator begins, of another number of ranks, which has learned nothing yet. */
  void resized() {
    remembered = false;
  }

  /**
   * Takes the next epoch, now or after a wait. Runs on the store's thread.
   *
   * @param origins of the ranks; one with another store is refused
   */
  void run(Map<Integer, Origin> origins) {
    try {
      Optional<String> stranger = epochs.stranger(origins);
      if (stranger.isPresent()) {
        wait = null;
        LOG.error("No epoch begins: {}", stranger.get());
        events.accept(new CoordinatorEvent.EpochRefused(stranger.get()));
        return;
      }
      long epoch = epochs.take(origins, context.who());
      LOG.info("{} begins epoch {}", group, epoch);
      wait = null;
      events.accept(surveyed(epoch, origins));
    } catch (IOException e) {
      boolean waited = epochs.isUnclaimed();
      if (!waited || !beginsUnclaimed(origins, e)) {
        tryAgain(origins, e);
      }
    } catch (RuntimeException | Error e) {
      refuse(e);
    }
  }

  /**
   * Begins an epoch although STORE takes no file, so that the ranks resume from what can be read.
   *
   * @return false if STORE cannot be read either
   */
  private boolean beginsUnclaimed(Map<Integer, Origin> origins, IOException notTaken) {
    try {
      if (epochs.stranger(origins).isPresent()) {
        return false;
      }
      EpochTaken begun = unclaimed(origins, notTaken);
      wait = null;
      events.accept(begun);
      return true;
    } catch (IOException | RuntimeException e) {
      notTaken.addSuppressed(e);
      return false;
    }
  }

  private EpochTaken unclaimed(Map<Integer, Origin> origins, IOException notTaken)
      throws IOException {
    long epoch = epochs.beginUnclaimed(origins);
    Inventory.Listing listing = Inventory.listBorn(context.store(), group);
    boolean anySealed = anySealed(listing, origins);
    Standing standing = epochs.unclaimed(epoch, listing);
    remember(listing);
    findNodeSeal();
    claimNanos = context.nanoTime().getAsLong();
    pauseNanos = FIRST_PAUSE_NANOS;
    LOG.error(
        "{} begins epoch {} without a claim, since STORE takes no file. It resumes from what can be"
            + " read, and nothing of it goes below DEVICE until STORE takes its claim",
        group,
        epoch,
        notTaken);
    return new EpochTaken(
        epoch, ListedHoldings.surveys(listing, origins.keySet()), anySealed, standing);
  }

  /**
   * Claims an epoch that began without a claim, unless that was tried a moment ago. Runs on the
   * store's thread.
   */
  void claim(long epoch) {
    if (context.nanoTime().getAsLong() - claimNanos < 0) {
      events.accept(new CoordinatorEvent.ClaimEnded(epoch, false));
      return;
    }
    EpochWatch.Claim claim = tried(epoch);
    if (claim instanceof EpochWatch.Claim.Made) {
      LOG.warn("{}: STORE has the claim of epoch {} now", group, epoch);
      events.accept(new CoordinatorEvent.ClaimEnded(epoch, true));
    } else if (claim instanceof EpochWatch.Claim.Lost lost) {
      LOG.error("Checkpoints of {} do not count any more: {}", group, lost.reason());
      events.accept(new CoordinatorEvent.Superseded(epoch, lost.reason()));
    } else if (claim instanceof EpochWatch.Claim.Open open) {
      LOG.debug("epoch {} of {} is not claimed yet", epoch, group, open.cause());
      claimNanos = context.nanoTime().getAsLong() + pauseNanos;
      pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
      events.accept(new CoordinatorEvent.ClaimEnded(epoch, false));
    } else {
      throw new IllegalStateException("no claim ends as " + claim);
    }
  }

  /** An error leaves the claim open: the coordinator waits for an answer. */
  private EpochWatch.Claim tried(long epoch) {
    try {
      return epochs.claim(epoch, context.who());
    } catch (RuntimeException | Error e) {
      LOG.error("The claim of epoch {} of {} broke off", epoch, group, e);
      return new EpochWatch.Claim.Open(new IOException(e.toString(), e));
    }
  }

  /** Looks for the group's birth, now or after a wait. Runs on the store's thread. */
  void findBirth() {
    findBirth(newWait());
  }

  private void findBirth(StoreWait waiting) {
    String store = context.store().describe();
    try {
      EpochWatch.Look look = epochs.look(EpochWatch.ANY);
      if (look instanceof EpochWatch.Look.Unknown unknown) {
        throw unknown.cause();
      } else if (look instanceof EpochWatch.Look.Elsewhere elsewhere) {
        LOG.warn("A rank of another birth is refused: {}", elsewhere.reason());
        events.accept(new CoordinatorEvent.BirthFound("", store));
      } else {
        String birth = GroupBirth.find(context.store(), group).orElse("");
        events.accept(new CoordinatorEvent.BirthFound(birth, store));
      }
    } catch (IOException e) {
      if (!isTriedAgain(waiting, e, () -> findBirth(waiting))) {
        LOG.error("The birth of {} cannot be read", group, e);
        events.accept(
            new CoordinatorEvent.BirthFound("", store + ", which fails (" + e.getMessage() + ")"));
      }
    } catch (RuntimeException | Error e) {
      LOG.error("The birth of {} cannot be found", group, e);
      events.accept(new CoordinatorEvent.BirthFound("", store + ", which fails (" + e + ")"));
    }
  }

  /**
   * Takes a later epoch in the place of one that has begun, if STORE shows no claim of another
   * attempt; now, or after a wait. Runs on the store's thread.
   *
   * @param instead the epoch that has begun
   * @param origins of the ranks, above all of which the later epoch is
   */
  void later(long instead, Map<Integer, Origin> origins) {
    later(instead, origins, newWait());
  }

  private void later(long instead, Map<Integer, Origin> origins, StoreWait waiting) {
    try {
      events.accept(takeLater(instead, origins));
    } catch (IOException e) {
      if (epochs.isUnclaimed()
          || !isTriedAgain(waiting, e, () -> later(instead, origins, waiting))) {
        stay(instead, e);
      }
    } catch (RuntimeException | Error e) {
      stay(instead, e);
    }
  }

  private CoordinatorEvent takeLater(long instead, Map<Integer, Origin> origins)
      throws IOException {
    EpochWatch.Look look = epochs.look(instead);
    if (look instanceof EpochWatch.Look.Unknown unknown) {
      throw unknown.cause();
    } else if (look instanceof EpochWatch.Look.Elsewhere elsewhere) {
      throw new IOException(elsewhere.reason());
    } else if (look instanceof EpochWatch.Look.Over over) {
      LOG.warn("{} goes on in epoch {}, which is over: {}", group, instead, over.reason());
      return new CoordinatorEvent.EpochStays(instead);
    } else if (look instanceof EpochWatch.Look.Unclaimed unclaimed) {
      EpochTaken taken = unclaimed(origins, new IOException(unclaimed.reason()));
      return new CoordinatorEvent.LaterEpochTaken(instead, taken);
    }
    long epoch = epochs.take(origins, context.who());
    LOG.warn(
        "{} resumes from an epoch after {}, whose claim STORE has lost, and begins epoch {}",
        group,
        instead,
        epoch);
    EpochTaken later = new EpochTaken(epoch, Map.of(), true, epochs.claimedUnseen());
    return new CoordinatorEvent.LaterEpochTaken(instead, later);
  }

  private void stay(long epoch, Throwable failure) {
    LOG.error("{} goes on in epoch {}: STORE will take no checkpoint", group, epoch, failure);
    events.accept(new CoordinatorEvent.EpochStays(epoch));
  }

  private StoreWait newWait() {
    return new StoreWait(group.toString(), context.storePatience(), context.nanoTime());
  }

  /** A store that fails may be back in a moment, and a refused join costs a task its attempt. */
  private void tryAgain(Map<Integer, Origin> origins, IOException failure) {
    StoreWait waiting = wait == null ? newWait() : wait;
    wait = waiting;
    if (!isTriedAgain(waiting, failure, () -> run(origins))) {
      if (StoreWait.isInVain(failure) || !beginsUnclaimed(origins, failure)) {
        refuse(failure);
      }
    }
  }

  private boolean isTriedAgain(StoreWait waiting, IOException failure, Runnable nextTry) {
    OptionalLong pause = waiting.failed(failure);
    pause.ifPresent(
        millis ->
            context
                .alarm()
                .after(TimeUnit.MILLISECONDS.toNanos(millis), () -> storing.accept(nextTry)));
    return pause.isPresent();
  }

  private void refuse(Throwable failure) {
    wait = null;
    LOG.error("No epoch could be taken for {}", group, failure);
    String tried =
        failure instanceof IOException && !StoreWait.isInVain(failure)
            ? " within store.patience (" + context.storePatience().toSeconds() + " s): "
            : ", and none could be at a later try: ";
    events.accept(
        new CoordinatorEvent.EpochRefused(
            "no epoch could be taken for " + group + tried + failure.getMessage()));
  }

  /**
   * The copies at STORE of these ranks; nothing if it cannot be listed now, so that they ask it.
   * After the epoch was taken, since an earlier attempt may report a checkpoint as sealed until
   * then.
   */
  private EpochTaken surveyed(long epoch, Map<Integer, Origin> origins) {
    Map<Integer, RankSurvey> surveys = Map.of();
    boolean anySealed = true;
    Standing standing = Standing.CLAIMED;
    try {
      Inventory.Listing listing = Inventory.listBorn(context.store(), group);
      surveys = ListedHoldings.surveys(listing, origins.keySet());
      remember(listing);
      findNodeSeal();
      anySealed = anySealed(listing, origins);
      standing = epochs.claimed(listing);
    } catch (IOException | RuntimeException e) {
      LOG.warn("{} could not be listed in {}; its ranks ask", group, context.store().describe(), e);
      standing = epochs.claimedUnseen();
    }
    if (!remembered) {
      LOG.warn("{} begins without the measurements of earlier runs", group);
      remembered = true;
    }
    return new EpochTaken(epoch, surveys, anySealed, standing);
  }

  /** An epoch of which ranks found a trace may have sealed something, if it had a claim. */
  private boolean anySealed(Inventory.Listing listing, Map<Integer, Origin> origins)
      throws IOException {
    List<Long> begun =
        origins.values().stream()
            .map(Origin::epoch)
            .filter(epoch -> epoch > 0 && !epochs.isVouched(epoch))
            .toList();
    return listing.anySealed() || memory.mayHaveSealed(group, begun);
  }

  /** Reads what an earlier coordinator learned, before this one begins its first epoch. */
  private void remember(Inventory.Listing listing) {
    if (remembered) {
      return;
    }
    try {
      if (!listing.checkpoints().isEmpty()) {
        CheckpointId newest = listing.checkpoints().lastKey();
        Optional<CheckpointId> end =
            memory.hasEnded(newest) ? Optional.of(newest) : Optional.empty();
        memory
            .learned(newest)
            .ifPresent(learned -> events.accept(new CoordinatorEvent.Remembered(learned, end)));
      }
      remembered = true;
    } catch (IOException | RuntimeException e) {
      LOG.debug("The measurements of earlier runs of {} could not be read", group, e);
    }
  }

  /** Another process may have coordinated the group since this one did. */
  private void findNodeSeal() throws IOException {
    memory
        .newestAtNode(group)
        .ifPresent(seal -> events.accept(new CoordinatorEvent.NodeSealFound(seal)));
  }
}
