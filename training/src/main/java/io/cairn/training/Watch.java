package io.cairn.training;

import io.cairn.Member;
import io.cairn.RestoreException;
import io.cairn.RestoreReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the losses of one training, and rolls it back out of trouble. {@link TroubleGuard} says
 * when and how often. The loop of the training asks after each step:
 *
 * <pre>{@code
 * trainOneMinibatch();
 * if (watch.findsTrouble()) {
 *   watch.recover(); // the next minibatch is that after the restored checkpoint
 * } else {
 *   checkpointer.checkpoint(iteration);
 * }
 * }</pre>
 *
 * <p>An incident lasts from the first troubled iteration until the training has passed it. Each
 * roll-back of an incident takes an older checkpoint than the one before. So the greatest iteration
 * that was passed rises from incident to incident, and the training ends. Not thread-safe: the
 * training thread owns it.
 *
 * @param <P> as for {@link Trainer}
 */
public final class Watch<P extends Comparable<? super P>> {
  private static final Logger LOG = LoggerFactory.getLogger(Watch.class);

  private final TroubleGuard guard;
  private final Trainer<P> trainer;
  private final Member member;
  private final LongSupplier nanoClock;
  private final LossWindow window;
  private final List<RollBack> rollBacks = new ArrayList<>();

  /** What {@link #recover} is still to be called for. */
  private @Nullable Trouble<P> found;

  private @Nullable Incident<P> incident;

  private record Trouble<P>(long iteration, double loss, P place) {}

  /** Trouble that the training has not passed yet. */
  private static final class Incident<P extends Comparable<? super P>> {
    long iteration;
    P from;
    final List<RestoreReport> tried = new ArrayList<>();

    Incident(Trouble<P> first) {
      iteration = first.iteration();
      from = first.place();
    }

    /** The training got into trouble again, perhaps at another iteration. */
    void comesBack(Trouble<P> again) {
      iteration = Math.max(iteration, again.iteration());
      if (again.place().compareTo(from) < 0) {
        from = again.place();
      }
    }
  }

  /**
   * A watch over a training that has not gone on yet since its restore.
   *
   * @param member the training's rank
   * @throws IllegalArgumentException if its group has several ranks
   */
  public Watch(TroubleGuard guard, Trainer<P> trainer, Member member) {
    this(guard, trainer, member, System::nanoTime);
  }

  /** Like the other, with another clock. */
  Watch(TroubleGuard guard, Trainer<P> trainer, Member member, LongSupplier nanoClock) {
    if (member.size() > 1) {
      throw new IllegalArgumentException(
          member
              + ": the ranks of a coupled group have to agree before they roll back, which a guard"
              + " of one rank cannot; let all ranks call rollBackBefore");
    }
    this.guard = guard;
    this.trainer = trainer;
    this.member = member;
    this.nanoClock = nanoClock;
    this.window = new LossWindow(guard);
  }

  /** The roll-backs so far. */
  public List<RollBack> rollBacks() {
    return List.copyOf(rollBacks);
  }

  /** The program itself has rolled back: it gets all tries again. */
  public void restored(RestoreReport report) {
    incident = null;
    found = null;
    window.rewind(report.id().iteration());
  }

  /**
   * Looks at the loss of the last step, before its checkpoint is taken.
   *
   * @return whether it is in trouble; the caller then takes no checkpoint, and calls {@link
   *     #recover} before the next step
   */
  public boolean findsTrouble() {
    long iteration = trainer.iteration();
    double loss = trainer.loss();
    if (window.isTrouble(loss)) {
      found = new Trouble<>(iteration, loss, trainer.place());
      return true;
    }
    window.add(iteration, loss);
    if (incident != null && iteration >= incident.iteration) {
      LOG.info("{} has passed iteration {}, which was in trouble", member, incident.iteration);
      incident = null;
    }
    return false;
  }

  /**
   * Rolls the training back out of the trouble that was found last.
   *
   * @throws TroubleException if nothing is left to try
   * @throws IllegalStateException if none was found since the last call
   */
  public void recover() {
    long start = nanoClock.getAsLong();
    Trouble<P> trouble = found;
    if (trouble == null) {
      throw new IllegalStateException(member + " is in no trouble");
    }
    found = null;
    Incident<P> present = incident;
    if (present == null) {
      present = new Incident<>(trouble);
      incident = present;
    } else {
      present.comesBack(trouble);
    }
    int resort = present.tried.size() + 1 - guard.tries();
    requireTriesLeft(trouble, present, resort);
    RestoreReport report = restore(trouble, present, resort > 0);
    present.tried.add(report);
    window.rewind(report.id().iteration());
    String remedy = resort > 0 ? apply(resort, present.from) : "";
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

  private void requireTriesLeft(Trouble<P> trouble, Incident<P> present, int resort) {
    boolean ends = guard.lastResort() instanceof LastResort.End;
    if (resort > (ends ? 0 : guard.tries())) {
      throw ended(trouble, present, "it came back", null);
    }
  }

  private static TroubleException ended(
      Trouble<?> trouble, Incident<?> present, String reason, @Nullable Throwable cause) {
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
  private RestoreReport restore(Trouble<P> trouble, Incident<P> present, boolean lastResort) {
    long before =
        present.tried.stream()
            .mapToLong(report -> report.id().iteration())
            .min()
            .orElse(trouble.iteration());
    try {
      Optional<RestoreReport> older = trainer.rollBackBefore(before);
      return older
          .or(() -> lastResort ? trainer.rollBackBefore(before + 1) : Optional.empty())
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
  private String apply(int times, P from) {
    if (guard.lastResort() instanceof LastResort.SkipMinibatches skip) {
      long count = (long) times * skip.count();
      trainer.leaveOut(from, count);
      return "minibatches left out: " + count;
    } else if (guard.lastResort() instanceof LastResort.SmallerRate smaller) {
      double factor = Math.pow(smaller.factor(), times);
      trainer.multiplyRates(factor);
      return "learning rates multiplied by " + factor;
    }
    throw new IllegalStateException("no last resort of " + guard);
  }
}
