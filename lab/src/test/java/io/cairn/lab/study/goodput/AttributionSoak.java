package io.cairn.lab.study.goodput;

import io.cairn.core.goodput.Cause;
import io.cairn.core.goodput.CauseTimes;
import io.cairn.core.goodput.Goodput;
import io.cairn.core.goodput.GoodputEntries;
import io.cairn.core.goodput.GoodputRecord;
import io.cairn.core.model.Fingerprint;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * A rank that trains, fails and resumes in virtual time. It keeps two books: the true cause of each
 * second, and the {@link Goodput} of the real code, which sees only what a session sees. Records
 * pass through the entries of manifests. Failures of the process leave NODE and the newest sign of
 * life; losses of the machine leave STORE alone. Not thread-safe.
 */
public final class AttributionSoak {
  private static final long SECOND = 1_000_000_000L;
  private static final double FLUSH_SLOW_DOWN = 0.1;
  private static final double NOISE = 0.05;
  private static final int WARM_UPS = 3;

  /** Of the wall clock, in milliseconds since 1970, when the virtual one shows 0. */
  private static final long BEGIN_MILLIS = 1_700_000_000_000L;

  /**
   * A training.
   *
   * @param hours of virtual time
   * @param mtbfSeconds mean time between failures
   * @param machineLosses the part of the failures that take the machine
   * @param iterationSeconds of an iteration that nothing disturbs
   * @param nodeEvery iterations between checkpoints at NODE
   * @param storeEvery iterations between checkpoints at STORE, a multiple of {@code nodeEvery}
   * @param coupled whether joins and restores wait for other ranks
   */
  public record Training(
      double hours,
      double mtbfSeconds,
      double machineLosses,
      double iterationSeconds,
      int nodeEvery,
      int storeEvery,
      boolean coupled) {}

  /** The true times, and those that the real code booked. */
  public record Books(CauseTimes truth, CauseTimes booked) {
    /** The greatest difference of a cause's parts of the whole time, in points. */
    public double worstPoints() {
      double worst = 0;
      for (Cause cause : Cause.values()) {
        worst = Math.max(worst, Math.abs(booked.part(cause) - truth.part(cause)));
      }
      return 100 * worst;
    }
  }

  /** A failure ends the present incarnation. */
  private static final class Failure extends Exception {
    private static final long serialVersionUID = 1;

    Failure() {
      super("simulated", null, false, false);
    }
  }

  /** A checkpoint: its iteration, and the entries of its manifest. */
  private record Kept(long iteration, Fingerprint entries) {
    static final Kept NOTHING = new Kept(-1, Fingerprint.NONE);
  }

  private final Training training;
  private final SplittableRandom random;
  private final Map<Cause, Long> truth = new EnumMap<>(Cause.class);
  private long now;
  private long failsAt;
  private long startedMillis = BEGIN_MILLIS;
  private long next;
  private int computed;
  private boolean hasResumed;
  private long furthest = -1;
  private long flushEnds;
  private Kept atNode = Kept.NOTHING;
  private Kept atStore = Kept.NOTHING;
  private Kept onTheWay = Kept.NOTHING;
  private Optional<GoodputRecord> sign = Optional.empty();

  private AttributionSoak(Training training, long seed) {
    this.training = training;
    this.random = new SplittableRandom(seed);
  }

  /** Runs one training; the same seed gives the same books. */
  public static Books run(Training training, long seed) {
    return new AttributionSoak(training, seed).run();
  }

  private Books run() {
    long end = Math.round(training.hours() * 3600 * SECOND);
    for (long epoch = 1; ; epoch++) {
      failsAt = now + exponential(training.mtbfSeconds());
      Goodput goodput = new Goodput(now, millis(), startedMillis, training.coupled(), sign);
      try {
        resume(goodput, epoch);
        while (now < end) {
          iterate(goodput);
        }
        return new Books(new CauseTimes(truth), record(goodput).total());
      } catch (Failure e) {
        leave(goodput);
        restart();
      }
    }
  }

  private GoodputRecord record(Goodput goodput) {
    return goodput.record(now, millis());
  }

  private long millis() {
    return BEGIN_MILLIS + now / 1_000_000;
  }

  private long exponential(double meanSeconds) {
    return Math.round(-Math.log(1 - random.nextDouble()) * meanSeconds * SECOND);
  }

  private long seconds(double from, double to) {
    return Math.round(random.nextDouble(from, to) * SECOND);
  }

  /** Time passes for a reason; a failure cuts it off. */
  private void pass(Cause cause, long nanos) throws Failure {
    long until = Math.min(now + nanos, Math.max(now, failsAt));
    truth.merge(cause, until - now, Long::sum);
    boolean failed = until < now + nanos;
    now = until;
    if (failed) {
      throw new Failure();
    }
  }

  private void resume(Goodput goodput, long epoch) throws Failure {
    pass(training.coupled() ? Cause.WAITING : Cause.RESTART, seconds(0.1, 2));
    goodput.joined(now, epoch);
    pass(Cause.WARM_UP, seconds(0.5, 3));
    goodput.restoring(now);
    long waited = training.coupled() ? seconds(0.1, 3) : 0;
    pass(Cause.WAITING, waited);
    pass(Cause.RESTORE, seconds(1, 4));
    Kept kept = atNode.iteration() >= atStore.iteration() ? atNode : atStore;
    goodput.resumed(now, waited, kept.iteration(), GoodputEntries.in(kept.entries()));
    hasResumed = true;
    next = kept.iteration() + 1;
    computed = 0;
    flushEnds = 0;
    onTheWay = Kept.NOTHING;
  }

  private void iterate(Goodput goodput) throws Failure {
    boolean flushing = flushEnds > now;
    boolean again = next <= furthest;
    double noise = 1 + NOISE * (2 * random.nextDouble() - 1);
    long work = Math.round(training.iterationSeconds() * noise * SECOND);
    long slower = flushing ? Math.round(work * FLUSH_SLOW_DOWN) : 0;
    long warm = Math.round(Math.max(0, WARM_UPS - computed) * training.iterationSeconds() * SECOND);
    pass(Cause.WARM_UP, warm);
    compute(again, work);
    pass(again ? Cause.REDONE : Cause.FLUSH, slower);
    goodput.computed(now, next, flushing);
    furthest = Math.max(furthest, next);
    computed++;
    capture(goodput);
    next++;
  }

  /** An iteration that a failure cuts off is computed again. */
  private void compute(boolean again, long work) throws Failure {
    boolean cut = now + work > failsAt;
    pass(again || cut ? Cause.REDONE : Cause.TRAINING, work);
  }

  private void capture(Goodput goodput) throws Failure {
    if (flushEnds <= now && onTheWay.iteration() >= 0) {
      land();
    }
    boolean due = next % training.nodeEvery() == 0 && onTheWay.iteration() < 0;
    if (due) {
      onTheWay = new Kept(next, new Fingerprint(GoodputEntries.of(record(goodput))));
    }
    pass(Cause.STALL, seconds(0.001, 0.01));
    goodput.stalled(now);
    if (due) {
      flushEnds = now + Math.round(2.5 * training.iterationSeconds() * SECOND);
    }
  }

  private void land() {
    atNode = onTheWay;
    if (onTheWay.iteration() % training.storeEvery() == 0) {
      atStore = onTheWay;
    }
    onTheWay = Kept.NOTHING;
  }

  /** A session signs each time that its training goes on, so this is its newest sign. */
  private void leave(Goodput goodput) {
    if (hasResumed) {
      sign = Optional.of(record(goodput));
    }
    hasResumed = false;
  }

  /** The process or the machine is gone; another process begins when that was noticed. */
  private void restart() {
    if (random.nextDouble() < training.machineLosses()) {
      atNode = Kept.NOTHING;
      sign = Optional.empty();
    }
    failsAt = Long.MAX_VALUE;
    try {
      pass(Cause.DETECTION, 2 * SECOND + exponential(6));
      startedMillis = millis();
      pass(Cause.RESTART, seconds(3, 12));
    } catch (Failure e) {
      throw new AssertionError("nothing fails meanwhile", e);
    }
  }
}
