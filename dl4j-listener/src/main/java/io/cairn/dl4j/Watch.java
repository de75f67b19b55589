package io.cairn.dl4j;

import io.cairn.RestoreException;
import io.cairn.RestoreReport;
import io.cairn.dl4j.TrainingState.IteratorPosition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the losses of one training, and rolls it back out of trouble. {@link TroubleGuard} says
 * when and how often. Not thread-safe: the training thread owns it.
 *
 * <p>An incident lasts from the first troubled iteration until the training has passed it. Each
 * roll-back of an incident takes an older checkpoint than the one before. So the greatest iteration
 * that was passed rises from incident to incident, and the training ends.
 */
final class Watch {
  private static final Logger LOG = LoggerFactory.getLogger(Watch.class);

  private final TroubleGuard guard;
  private final Supplier<? extends Iterator<?>> fresh;
  private final String member;
  private final LongSupplier nanoClock;
  private final LossWindow window;
  private final List<RollBack> rollBacks = new ArrayList<>();
  private @Nullable Incident incident;

  /** Trouble that the training has not passed yet. */
  private static final class Incident {
    long iteration;
    IteratorPosition from;
    final List<RestoreReport> tried = new ArrayList<>();

    Incident(Trouble first) {
      iteration = first.iteration();
      from = first.position();
    }

    /** The training got into trouble again, perhaps at another iteration. */
    void comesBack(Trouble again) {
      iteration = Math.max(iteration, again.iteration());
      if (EARLIER.compare(again.position(), from) < 0) {
        from = again.position();
      }
    }
  }

  private static final Comparator<IteratorPosition> EARLIER =
      Comparator.comparingLong(IteratorPosition::resets)
          .thenComparingLong(IteratorPosition::minibatches);

  /** How a training is rolled back, and changed by a last resort. */
  interface Steps {
    /**
     * Restores the newest checkpoint of an iteration below {@code iteration}; empty if there is
     * none.
     */
    Optional<RestoreReport> rollBackBefore(long iteration, Iterator<?> fresh);

    /** Leaves minibatches out from a position on. */
    void skip(IteratorPosition from, long minibatches);

    /** Multiplies all learning rates. */
    void multiplyRates(double factor);
  }

  /**
   * A watch.
   *
   * @param fresh builds an iterator at the position where a new training starts
   * @param member for the log
   */
  Watch(
      TroubleGuard guard,
      Supplier<? extends Iterator<?>> fresh,
      String member,
      LongSupplier nanoClock) {
    this.guard = guard;
    this.fresh = fresh;
    this.member = member;
    this.nanoClock = nanoClock;
    this.window = new LossWindow(guard);
  }

  /** The roll-backs so far. */
  List<RollBack> rollBacks() {
    return List.copyOf(rollBacks);
  }

  /** The program itself has rolled back: it gets all tries again. */
  void restored(RestoreReport report) {
    incident = null;
    window.rewind(report.id().iteration());
  }

  /**
   * Takes the loss of an iteration, before its checkpoint is taken.
   *
   * @param position of the minibatch
   * @throws Trouble if it is in trouble
   */
  void check(long iteration, double loss, IteratorPosition position) {
    if (window.isTrouble(loss)) {
      throw new Trouble(iteration, loss, position);
    }
    window.add(iteration, loss);
    if (incident != null && iteration >= incident.iteration) {
      LOG.info("{} has passed iteration {}, which was in trouble", member, incident.iteration);
      incident = null;
    }
  }

  /**
   * Rolls the training back.
   *
   * @throws TroubleException if nothing is left to try
   */
  void recover(Trouble trouble, Steps steps) {
    long start = nanoClock.getAsLong();
    Incident present = incident;
    if (present == null) {
      present = new Incident(trouble);
      incident = present;
    } else {
      present.comesBack(trouble);
    }
    int resort = present.tried.size() + 1 - guard.tries();
    requireTriesLeft(trouble, present, resort);
    RestoreReport report = restore(trouble, present, resort > 0, steps);
    present.tried.add(report);
    window.rewind(report.id().iteration());
    String remedy = resort > 0 ? apply(resort, present.from, steps) : "";
    RollBack rollBack =
        new RollBack(
            trouble.iteration(),
            trouble.loss(),
            report.id(),
            report.level(),
            Duration.ofNanos(nanoClock.getAsLong() - start),
            remedy);
    rollBacks.add(rollBack);
    LOG.warn(
        "{}: iteration {} had loss {}; rolled back to {} at {} in {} ms{}",
        member,
        rollBack.iteration(),
        rollBack.loss(),
        rollBack.restored().label(),
        rollBack.level(),
        rollBack.took().toNanos() / 1e6,
        remedy.isEmpty() ? "" : ", and goes on with " + remedy);
  }

  private void requireTriesLeft(Trouble trouble, Incident present, int resort) {
    boolean ends = guard.lastResort() instanceof LastResort.End;
    if (resort > (ends ? 0 : guard.tries())) {
      throw ended(trouble, present, "it came back", null);
    }
  }

  private static TroubleException ended(
      Trouble trouble, Incident present, String reason, @Nullable Throwable cause) {
    List<String> tried =
        present.tried.stream().map(one -> one.id().label() + " at " + one.level()).toList();
    return new TroubleException(
        trouble.iteration(),
        trouble.loss(),
        reason
            + ", after roll-backs to "
            + (tried.isEmpty() ? "no checkpoint" : String.join(", ", tried))
            + ". Data or learning rate are the likely cause: look at the minibatch of this"
            + " iteration, or give the guard another last resort",
        cause);
  }

  /** The next older checkpoint; for a last resort the oldest that was tried, if none is older. */
  private RestoreReport restore(
      Trouble trouble, Incident present, boolean lastResort, Steps steps) {
    long before =
        present.tried.stream()
            .mapToLong(report -> report.id().iteration())
            .min()
            .orElse(trouble.iteration());
    LongFunction<Optional<RestoreReport>> rollBack =
        iteration -> steps.rollBackBefore(iteration, fresh.get());
    try {
      Optional<RestoreReport> older = rollBack.apply(before);
      return older
          .or(() -> lastResort ? rollBack.apply(before + 1) : Optional.empty())
          .orElseThrow(() -> ended(trouble, present, "no older checkpoint exists", null));
    } catch (RestoreException e) {
      throw ended(trouble, present, "no older checkpoint could be restored", e);
    }
  }

  /**
   * Changes the restored training.
   *
   * @param times from 1 on
   */
  private String apply(int times, IteratorPosition from, Steps steps) {
    if (guard.lastResort() instanceof LastResort.SkipMinibatches skip) {
      long count = (long) times * skip.count();
      steps.skip(from, count);
      return "minibatches left out: " + count;
    } else if (guard.lastResort() instanceof LastResort.SmallerRate smaller) {
      double factor = Math.pow(smaller.factor(), times);
      steps.multiplyRates(factor);
      return "learning rates multiplied by " + factor;
    }
    throw new IllegalStateException("no last resort of " + guard);
  }
}
