package io.cairn.engine.coordination;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.GroupId;
import io.cairn.core.protocol.CoordinatorEvent;
import io.cairn.core.protocol.Origin;
import io.cairn.core.protocol.RankSurvey;
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
 * says. Then it lists the group for all ranks, and reads what an earlier coordinator learned. The
 * store's thread alone uses it, but for {@link #resized}.
 */
final class EpochBegin {
  private static final Logger LOG = LoggerFactory.getLogger(EpochBegin.class);

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
      tryAgain(origins, e);
    } catch (RuntimeException | Error e) {
      refuse(e);
    }
  }

  /** Looks for the group's birth, now or after a wait. Runs on the store's thread. */
  void findBirth() {
    findBirth(newWait());
  }

  private void findBirth(StoreWait waiting) {
    String store = context.store().describe();
    try {
      EpochWatch.Look look = epochs.look(Long.MAX_VALUE); // of the directory, not of its epochs
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
      if (!isTriedAgain(waiting, e, () -> later(instead, origins, waiting))) {
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
    }
    long epoch = epochs.take(origins, context.who());
    LOG.warn(
        "{} resumes from an epoch after {}, whose claim STORE has lost, and begins epoch {}",
        group,
        instead,
        epoch);
    return new CoordinatorEvent.LaterEpochTaken(instead, new CoordinatorEvent.EpochTaken(epoch));
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
      refuse(failure);
    }
  }

  private boolean isTriedAgain(StoreWait waiting, IOException failure, Runnable nextTry) {
    OptionalLong pause = waiting.failed(String.valueOf(failure.getMessage()));
    pause.ifPresent(
        millis ->
            context
                .alarm()
                .after(TimeUnit.MILLISECONDS.toNanos(millis), () -> storing.accept(nextTry)));
    return pause.isPresent();
  }

  private void refuse(Throwable failure) {
    wait = null;
    LOG.warn("No epoch could be taken for {}", group, failure);
    events.accept(
        new CoordinatorEvent.EpochRefused(
            "no epoch could be taken for "
                + group
                + " within store.patience ("
                + context.storePatience().toSeconds()
                + " s): "
                + failure.getMessage()));
  }

  /**
   * The copies at STORE of these ranks; nothing if it cannot be listed now, so that they ask it.
   * After the epoch was taken, since an earlier attempt may report a checkpoint as sealed until
   * then.
   */
  private CoordinatorEvent.EpochTaken surveyed(long epoch, Map<Integer, Origin> origins) {
    Map<Integer, RankSurvey> surveys = Map.of();
    boolean anySealed = true;
    try {
      Inventory.Listing listing = Inventory.list(context.store(), group);
      surveys = ListedHoldings.surveys(listing, origins.keySet());
      remember(listing);
      anySealed = listing.anySealed() || memory.mayHaveSealed(group, begun(origins));
    } catch (IOException | RuntimeException e) {
      LOG.warn("{} could not be listed in {}; its ranks ask", group, context.store().describe(), e);
    }
    if (!remembered) {
      LOG.warn("{} begins without the measurements of earlier runs", group);
      remembered = true;
    }
    return new CoordinatorEvent.EpochTaken(epoch, surveys, anySealed);
  }

  /** Epochs of which ranks found a trace. */
  private static List<Long> begun(Map<Integer, Origin> origins) {
    return origins.values().stream().map(Origin::epoch).filter(epoch -> epoch > 0).toList();
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
}
