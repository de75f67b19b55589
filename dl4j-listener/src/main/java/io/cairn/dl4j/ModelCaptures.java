package io.cairn.dl4j;

import io.cairn.core.model.Level;
import io.cairn.core.session.CheckpointTicket;
import io.cairn.core.session.Checkpointer;
import io.cairn.core.session.Outcome;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The captures of one training: takes each, waits for the copy, counts what becomes of it. Nothing
 * that goes wrong here reaches the training, only its cancellation does; each kind of trouble is
 * logged once and counted always. {@link #capture} belongs to the training thread; seals are
 * counted on whatever thread reports them.
 */
final class ModelCaptures {
  private static final Logger LOG = LoggerFactory.getLogger(ModelCaptures.class);
  private static final int SAMPLE_SIZE = 4096;
  private static final long SAMPLE_SEED = 0x5CA1AB1E;
  private static final Level[] LEVELS = Level.values();

  private final Checkpointer checkpointer;
  private final LongSupplier nanoClock;
  private final StallSample stalls = new StallSample(SAMPLE_SIZE, SAMPLE_SEED);
  private final Map<Level, LongAdder> sealed = new EnumMap<>(Level.class);
  private final AtomicBoolean fenced = new AtomicBoolean();
  private final Set<String> told = ConcurrentHashMap.newKeySet();
  private long captured;
  private long skipped;
  private long failed;
  private boolean moved;

  ModelCaptures(Checkpointer checkpointer, LongSupplier nanoClock) {
    this.checkpointer = checkpointer;
    this.nanoClock = nanoClock;
    for (Level level : LEVELS) {
      sealed.put(level, new LongAdder());
    }
  }

  /** Whether a later attempt of the group took over. */
  boolean fenced() {
    return fenced.get();
  }

  /**
   * Captures the model as it is, or counts why not.
   *
   * @throws CancellationException if the training was cancelled; nothing else
   */
  void capture(ModelRegions regions, TrainingState state) {
    if (fenced.get() || moved) {
      return;
    }
    long start = nanoClock.getAsLong();
    try {
      if (unmoved(regions)) {
        regions.saving(state);
        CheckpointTicket ticket = checkpointer.checkpoint(state.iteration());
        // the futures always complete; until then the training must not write
        settle(ticket, ticket.captured().join());
      }
    } catch (CancellationException cancelled) {
      throw cancelled;
    } catch (RuntimeException | Error failure) {
      failed++;
      tell(failure.getClass().getName(), "checkpoint of iteration " + state.iteration(), failure);
    } finally {
      stalls.add(nanoClock.getAsLong() - start);
    }
  }

  private boolean unmoved(ModelRegions regions) {
    try {
      regions.requireUnmoved();
      return true;
    } catch (IllegalStateException e) {
      moved = true;
      failed++;
      LOG.error("{}: {}", checkpointer.member(), e.getMessage());
      return false;
    }
  }

  private void settle(CheckpointTicket ticket, Outcome outcome) {
    if (outcome instanceof Outcome.Captured) {
      captured++;
      for (Level level : LEVELS) {
        CompletableFuture<Void> unused =
            ticket.sealed(level).thenAccept(seal -> onSeal(ticket, level, seal));
      }
    } else if (outcome instanceof Outcome.Skipped skip) {
      skipped++;
      tell("skipped", ticket.id().label() + " was skipped: " + skip.reason());
    } else if (outcome instanceof Outcome.Fenced fence) {
      fence(ticket, fence);
    } else if (!(outcome instanceof Outcome.NotDue)) {
      failed++;
      tell("failed", ticket.id().label() + " was not captured: " + outcome);
    }
  }

  private void onSeal(CheckpointTicket ticket, Level level, Outcome outcome) {
    if (outcome instanceof Outcome.Sealed) {
      Objects.requireNonNull(sealed.get(level)).increment();
    } else if (outcome instanceof Outcome.Fenced fence) {
      fence(ticket, fence);
    } else if (outcome instanceof Outcome.Failed failure) {
      tell(
          "seal " + level,
          ticket.id().label() + " was not sealed at " + level + ": " + failure.reason());
    }
  }

  private void fence(CheckpointTicket ticket, Outcome.Fenced fence) {
    if (fenced.compareAndSet(false, true)) {
      LOG.error(
          "{} {}: this attempt is over, a later one of the group has taken its place ({}). Training"
              + " may go on, but nothing of it is saved any more",
          checkpointer.member(),
          ticket.id().label(),
          fence.reason());
    }
  }

  private void tell(String kind, String what) {
    if (told.add(kind)) {
      LOG.warn(
          "{} {}. Training goes on; the same is only counted from now on",
          checkpointer.member(),
          what);
    }
  }

  private void tell(String kind, String what, Throwable cause) {
    if (told.add(kind)) {
      LOG.warn(
          "{} {} failed. Training goes on; the same is only counted from now on",
          checkpointer.member(),
          what,
          cause);
    }
  }

  /** The counts, once more, if anything was lost. */
  void summarize() {
    if (skipped + failed > 0) {
      LOG.warn(
          "{}: {} checkpoints captured, {} skipped, {} failed",
          checkpointer.member(),
          captured,
          skipped,
          failed);
    }
  }

  CaptureStatistics statistics() {
    Map<Level, Long> seals = new EnumMap<>(Level.class);
    sealed.forEach((level, count) -> seals.put(level, count.sum()));
    return new CaptureStatistics(
        captured, skipped, failed, fenced.get(), seals, stalls.statistics());
  }
}
