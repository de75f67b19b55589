package io.cairn.dl4j;

import io.cairn.CheckpointId;
import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the captures of one training, and counts the outcomes. Failures never reach the training;
 * only a cancellation does. Every failure is counted, and the first of each kind is logged. The
 * training thread calls all methods; seals are counted on the thread that reports them.
 *
 * <p>After a minibatch nothing writes the model before the next one's gradients are known. So a
 * capture is copied beside the forward and backward pass, and {@link #beforeUpdate} waits for the
 * rest. It does not wait for a GPU, whose own work waits for the copy. A training whose updates
 * were never announced there is captured in place.
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

  /** The newest epoch that is known to be fenced. A restore begins a later one. */
  private final AtomicReference<Fence> fence = new AtomicReference<>(new Fence(0, ""));

  private final Set<String> reported = ConcurrentHashMap.newKeySet();
  private long captured;
  private long skipped;
  private long failed;
  private long reportedFence;

  /** The checkpoint that was counted last. */
  private @Nullable CheckpointTicket counted;

  /** A capture that is copied beside the training. */
  private @Nullable CheckpointTicket pending;

  /** A capture that a GPU may still copy, before the updates that follow it there. */
  private @Nullable CheckpointTicket copying;

  private long pendingStallNanos;

  /** Whether DL4J announced an update since the last capture. */
  private boolean announced;

  private Optional<DoubleSupplier> score = Optional.empty();

  private volatile Consumer<CheckpointId> stored = id -> {};

  private record Fence(long epoch, String reason) {}

  ModelCaptures(Checkpointer checkpointer, LongSupplier nanoClock) {
    this.checkpointer = checkpointer;
    this.nanoClock = nanoClock;
    for (Level level : LEVELS) {
      sealed.put(level, new LongAdder());
    }
  }

  /** Names every checkpoint that reaches STORE from now on, on the thread that reports it. */
  void onStored(Consumer<CheckpointId> observer) {
    stored = observer;
  }

  /** Gives every later checkpoint this score. */
  void scoredBy(DoubleSupplier ofModel) {
    score = Optional.of(ofModel);
  }

  /**
   * Captures the model, or counts the reason why it could not.
   *
   * @throws CancellationException if the training was cancelled; the only exception thrown
   */
  void capture(ModelRegions regions, TrainingState state) {
    boolean beside = announced;
    capture(
        regions, state, beside ? checkpointer::checkpointBeside : checkpointer::checkpoint, beside);
  }

  /** Like {@link #capture}, where DL4J writes the model before it announces the next update. */
  void captureInPlace(ModelRegions regions, TrainingState state) {
    capture(regions, state, checkpointer::checkpoint, false);
  }

  /** DL4J is about to write the model: waits until the last capture has read it. */
  void beforeUpdate() {
    announced = true;
    awaitCaptured();
  }

  /** Waits until the last capture has read the model. */
  void awaitCaptured() {
    CheckpointTicket ticket = pending;
    if (ticket != null) {
      pending = null;
      long start = nanoClock.getAsLong();
      try {
        checkpointer.awaitCaptured();
        if (ticket.captured().isDone()) {
          settle(ticket, ticket.captured().join());
        } else {
          copying = ticket;
        }
      } finally {
        stalls.add(pendingStallNanos + nanoClock.getAsLong() - start);
      }
    }
  }

  /** Counts the last capture if that is still to be done. */
  private void settleCopied() {
    CheckpointTicket ticket = copying;
    if (ticket != null) {
      copying = null;
      settle(ticket, ticket.captured().join());
    }
  }

  /**
   * Like {@link #capture}, after the last iteration of a training, which then counts as ended. An
   * iteration that was captured already stays as it is.
   */
  void end(ModelRegions regions, TrainingState state) {
    CheckpointTicket under = pending;
    if (under == null || under.id().iteration() == state.iteration()) {
      awaitCaptured();
    }
    capture(regions, state, checkpointer::end, false);
  }

  private void capture(
      ModelRegions regions,
      TrainingState state,
      LongFunction<CheckpointTicket> checkpoint,
      boolean beside) {
    Optional<CheckpointTicket> overtaken = overtaken();
    announced = false;
    if (fenced()) {
      overtaken.ifPresent(torn -> checkpointer.awaitCaptured());
      reportFence(state);
      return;
    }
    long start = nanoClock.getAsLong();
    try {
      if (follow(regions, state)) {
        score(state);
        CheckpointTicket ticket = checkpoint.apply(state.iteration());
        settleCopied();
        overtaken.ifPresent(torn -> settle(torn, torn.captured().join()));
        if (beside && !ticket.captured().isDone()) {
          pending = ticket;
        } else {
          // the future always completes; until then the training must not write
          settle(ticket, ticket.captured().join());
        }
      }
    } catch (CancellationException cancelled) {
      throw cancelled;
    } catch (RuntimeException | Error failure) {
      failed++;
      report(failure.getClass().getName(), "checkpoint of iteration " + state.iteration(), failure);
    } finally {
      long stallNanos = nanoClock.getAsLong() - start;
      if (pending == null) {
        stalls.add(stallNanos);
      } else {
        pendingStallNanos = stallNanos;
      }
    }
  }

  /**
   * A capture after which the model was updated unannounced. Nobody waits for it here: the next
   * checkpoint fails it, and would take a wait for an announcement.
   */
  private Optional<CheckpointTicket> overtaken() {
    CheckpointTicket overtaken = pending;
    if (overtaken != null) {
      pending = null;
      stalls.add(pendingStallNanos);
      report(
          "update",
          overtaken.id().label()
              + " may hold bytes of two iterations: DL4J updated the model without calling the"
              + " listener, which was most likely taken off the model; call awaitCaptured() before"
              + " that");
    }
    return Optional.ofNullable(overtaken);
  }

  /** A checkpoint whose score cannot be computed is taken without one. */
  private void score(TrainingState state) {
    try {
      score.ifPresent(ofModel -> checkpointer.score(ofModel.getAsDouble()));
    } catch (RuntimeException e) {
      report("score", "the score of iteration " + state.iteration(), e);
    }
  }

  private boolean follow(ModelRegions regions, TrainingState state) {
    try {
      regions.nextState(state);
      return true;
    } catch (IllegalStateException e) {
      failed++;
      if (reported.add("model")) {
        LOG.error(
            "{}: nothing is captured from iteration {} on",
            checkpointer.member(),
            state.iteration(),
            e);
      }
      return false;
    }
  }

  private void settle(CheckpointTicket ticket, Outcome outcome) {
    if (ticket == counted) { // captured before the training ended with it
      return;
    }
    counted = ticket;
    if (outcome instanceof Outcome.Captured) {
      captured++;
      for (Level level : LEVELS) {
        CompletableFuture<Void> unused =
            ticket.sealed(level).thenAccept(seal -> onSeal(ticket, level, seal));
      }
    } else if (outcome instanceof Outcome.Skipped skip) {
      skipped++;
      report("skipped", ticket.id().label() + " was skipped: " + skip.reason());
    } else if (outcome instanceof Outcome.Fenced fenced) {
      fence(ticket, fenced);
    } else if (outcome instanceof Outcome.Failed failure) {
      failed++;
      report("failed", ticket.id().label() + " was not captured: " + failure.reason());
    } else if (!(outcome instanceof Outcome.NotDue)) {
      throw new IllegalStateException(ticket.id().label() + ": a capture cannot end in " + outcome);
    }
  }

  private void onSeal(CheckpointTicket ticket, Level level, Outcome outcome) {
    if (outcome instanceof Outcome.Sealed) {
      Objects.requireNonNull(sealed.get(level)).increment();
      if (level == Level.STORE) {
        stored.accept(ticket.id());
      }
    } else if (outcome instanceof Outcome.Fenced fenced) {
      fence(ticket, fenced);
    } else if (outcome instanceof Outcome.Failed failure) {
      report(
          "seal " + level,
          ticket.id().label() + " was not sealed at " + level + ": " + failure.reason());
    } else if (!(outcome instanceof Outcome.Skipped || outcome instanceof Outcome.NotDue)) {
      throw new IllegalStateException(ticket.id().label() + ": a seal cannot end in " + outcome);
    }
  }

  private void fence(CheckpointTicket ticket, Outcome.Fenced fenced) {
    Fence seen = new Fence(ticket.id().epoch(), fenced.reason());
    fence.accumulateAndGet(seen, (known, next) -> next.epoch() > known.epoch() ? next : known);
  }

  private boolean fenced() {
    return fence.get().epoch() >= checkpointer.epoch();
  }

  /** Not before a capture is left out: a restore fences what is on its way, which is no failure. */
  private void reportFence(TrainingState state) {
    if (reportedFence < checkpointer.epoch()) {
      reportedFence = checkpointer.epoch();
      LOG.error(
          "{}: a later attempt of the group has replaced this one ({}). Training may continue, but"
              + " from iteration {} on nothing is checkpointed until it restores",
          checkpointer.member(),
          fence.get().reason(),
          state.iteration());
    }
  }

  private void report(String kind, String failure) {
    if (reported.add(kind)) {
      LOG.warn(
          "{} {}. Training continues; further failures of this kind are only counted",
          checkpointer.member(),
          failure);
    }
  }

  private void report(String kind, String failed, Throwable cause) {
    if (reported.add(kind)) {
      LOG.warn(
          "{} {} failed. Training continues; further failures of this kind are only counted",
          checkpointer.member(),
          failed,
          cause);
    }
  }

  /** Logs the counts if any checkpoint was skipped or failed. */
  void summarize() {
    settleCopied();
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
    settleCopied();
    Map<Level, Long> seals = new EnumMap<>(Level.class);
    sealed.forEach((level, count) -> seals.put(level, count.sum()));
    return new CaptureStatistics(captured, skipped, failed, fenced(), seals, stalls.statistics());
  }
}
