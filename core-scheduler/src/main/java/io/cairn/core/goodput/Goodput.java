package io.cairn.core.goodput;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The account of one incarnation of a rank, upon what earlier ones recorded. Each call attributes
 * the time since the one before, so that every nanosecond has exactly one cause. It does no I/O and
 * has no clock: callers pass the time. Not thread-safe.
 *
 * <p>The gap before the incarnation is a difference between wall clocks, perhaps of two machines;
 * one that is negative counts as nothing.
 */
public final class Goodput {
  /*
   * Iterations
   *
   * An iteration up to the greatest one of any attempt is redone. Of another one, the usual time is
   * training. Time beyond that is warm-up in the first iterations of an incarnation, and a
   * slow-down while checkpoints are on their way. Slow-downs are summed up with their sign, since
   * iterations differ by chance; a sum below 0 counts as training.
   *
   * The usual time
   *
   * It follows the iterations without a flush. While there was none, it follows the others, and
   * nothing counts as a slow-down. A rank without an earlier record learns it from its second
   * iteration; until then its first one is warm-up.
   *
   * Gaps
   *
   * A sign of life shows how far the rank came, so the gap behind it is detection and restart. The
   * manifest of an older checkpoint does not: the gap behind it holds lost work, too. Detection is
   * taken to be as long as it usually was, and the rest is work that is done twice; as it is not
   * known to be, its second time counts as training. Without earlier detections it is unknown.
   */
  private static final double SMOOTHING = 1 / 16.0;

  /** A first iteration that takes longer by this factor is still warming up. */
  private static final double WARM = 1.25;

  /** A machine that is slower for good is not warming up. */
  private static final int MOST_WARM_UPS = 16;

  private final long arrivedMillis;
  private final long startedMillis;
  private final boolean coupled;
  private Optional<GoodputRecord> sign;

  /** Times of this incarnation; those of {@link Cause#FLUSH} have a sign. */
  private final SortedMap<Long, Map<Cause, Long>> epochs = new TreeMap<>();

  private Optional<GoodputRecord> before = Optional.empty();
  private boolean placed;
  private long epoch;
  private long atNanos;
  private long furthest = -1;
  private long last = -1;
  private double usualNanos;
  private boolean usualIsQuiet;
  private int warmUps;
  private boolean computing;
  private boolean ended;

  /** The first iteration of a rank that knows no usual time, and how many it was. */
  private long firstNanos;

  private long firstCount;

  /**
   * A rank is about to join its group.
   *
   * @param nowNanos by the clock of all calls
   * @param nowMillis the same moment by the wall clock
   * @param startedMillis when this process began
   * @param coupled whether its group has other ranks
   * @param sign the newest record that shows how far the rank came, if there is one
   */
  public Goodput(
      long nowNanos,
      long nowMillis,
      long startedMillis,
      boolean coupled,
      Optional<GoodputRecord> sign) {
    this.atNanos = nowNanos;
    this.arrivedMillis = nowMillis;
    this.startedMillis = startedMillis;
    this.coupled = coupled;
    this.sign = sign;
  }

  /**
   * Another record shows how far the rank came; the newest counts. To be called before the join.
   */
  public void found(GoodputRecord other) {
    if (sign.isEmpty() || sign.get().asOfMillis() < other.asOfMillis()) {
      sign = Optional.of(other);
    }
  }

  private long passTo(long nowNanos) {
    long passed = Math.max(0, nowNanos - atNanos);
    atNanos += passed;
    return passed;
  }

  private void add(Cause cause, long nanos) {
    epochs.computeIfAbsent(epoch, e -> new EnumMap<>(Cause.class)).merge(cause, nanos, Long::sum);
  }

  /** Every rank of the group has joined this epoch. */
  public void joined(long nowNanos, long ofEpoch) {
    epoch = ofEpoch;
    add(coupled ? Cause.WAITING : Cause.RESTART, passTo(nowNanos));
  }

  /** A restore begins; an iteration that was being computed is lost. */
  public void restoring(long nowNanos) {
    add(computing ? Cause.DETECTION : Cause.WARM_UP, passTo(nowNanos));
    computing = false;
  }

  /**
   * The rank goes on from a checkpoint, or from the begin.
   *
   * @param waitedNanos of the time since {@link #restoring}: for other ranks
   * @param iteration that was restored; -1 if none was
   * @param restored the record of that checkpoint, if it has one
   */
  public void resumed(
      long nowNanos, long waitedNanos, long iteration, Optional<GoodputRecord> restored) {
    long passed = passTo(nowNanos);
    long waited = coupled ? Math.min(waitedNanos, passed) : 0;
    add(Cause.WAITING, waited);
    add(Cause.RESTORE, passed - waited);
    continueFrom(restored);
    last = iteration;
    furthest = Math.max(furthest, iteration);
    warmUps = 0;
    firstNanos = 0;
  }

  /** The group agreed to start without a restore, after an iteration was computed already. */
  public void startedAfresh(long nowNanos) {
    add(coupled ? Cause.WAITING : Cause.RESTORE, passTo(nowNanos));
    continueFrom(Optional.empty());
  }

  /** Takes the newest record, once; later restores of this incarnation know more. */
  private void continueFrom(Optional<GoodputRecord> restored) {
    if (placed) {
      return;
    }
    placed = true;
    boolean isSign =
        sign.isPresent()
            && (restored.isEmpty() || restored.get().asOfMillis() <= sign.get().asOfMillis());
    before = isSign ? sign : restored;
    before.ifPresent(known -> continueFrom(known, isSign));
  }

  private void continueFrom(GoodputRecord known, boolean isSign) {
    furthest = Math.max(furthest, known.furthest());
    if (known.usualNanos() > 0) {
      usualNanos = known.usualNanos();
      usualIsQuiet = true;
    }
    if (!known.ended()) {
      gap(known, isSign);
    }
  }

  /** In one process, nothing shows when the failure was noticed. */
  private void gap(GoodputRecord known, boolean isSign) {
    long fromMillis = known.asOfMillis();
    if (startedMillis <= fromMillis) {
      add(isSign ? Cause.RESTART : Cause.UNKNOWN, nanos(arrivedMillis - fromMillis));
      return;
    }
    long unseen = nanos(startedMillis - fromMillis);
    long detection = isSign ? unseen : Math.min(unseen, usualDetection(known));
    add(Cause.DETECTION, detection);
    add(detection > 0 ? Cause.REDONE : Cause.UNKNOWN, unseen - detection);
    add(Cause.RESTART, nanos(arrivedMillis - startedMillis));
  }

  /** The mean of the epochs that have one; 0 if none has. */
  private static long usualDetection(GoodputRecord known) {
    return Math.round(
        known.epochs().tailMap(GoodputRecord.OLDER + 1).values().stream()
            .mapToLong(times -> times.of(Cause.DETECTION))
            .filter(nanos -> nanos > 0)
            .average()
            .orElse(0));
  }

  private static long nanos(long millis) {
    return 1_000_000 * Math.max(0, millis);
  }

  /**
   * The rank has computed all iterations up to this one.
   *
   * @param flushing whether checkpoints were on their way meanwhile
   */
  public void computed(long nowNanos, long iteration, boolean flushing) {
    long passed = passTo(nowNanos);
    long count = Math.max(1, iteration - last);
    long again = Math.min(count, Math.max(0, furthest - last));
    if (usualNanos == 0 && firstNanos == 0) {
      firstNanos = passed;
      firstCount = count;
      add(Cause.WARM_UP, passed);
    } else {
      long rest = withoutWarmUp(passed, count);
      long redone = rest / count * again;
      add(Cause.REDONE, redone);
      train(rest - redone, count - again, flushing);
      learn(rest / (double) count, flushing);
    }
    last = iteration;
    furthest = Math.max(furthest, iteration);
    computing = true;
    ended = false;
  }

  private void train(long nanos, long count, boolean flushing) {
    long usual = flushing && usualIsQuiet ? Math.round(usualNanos * count) : nanos;
    add(Cause.TRAINING, usual);
    add(Cause.FLUSH, nanos - usual);
  }

  /** Books the excess of a first iteration; returns the rest. */
  private long withoutWarmUp(long nanos, long count) {
    double usual = usualNanos * count;
    if (warmUps >= MOST_WARM_UPS || usual == 0 || nanos <= WARM * usual) {
      warmUps = MOST_WARM_UPS;
      return nanos;
    }
    warmUps++;
    long excess = nanos - Math.round(usual);
    add(Cause.WARM_UP, excess);
    return nanos - excess;
  }

  private void learn(double nanos, boolean flushing) {
    if (usualNanos == 0) {
      long first = Math.min(firstNanos, Math.round(nanos * firstCount));
      add(Cause.WARM_UP, -first);
      add(Cause.TRAINING, first);
    }
    if (usualNanos == 0 || (!flushing && !usualIsQuiet)) {
      usualNanos = nanos;
    } else if (flushing != usualIsQuiet) {
      usualNanos += SMOOTHING * (nanos - usualNanos);
    }
    usualIsQuiet |= !flushing;
  }

  /** Checkpoints stopped the training since the last call. */
  public void stalled(long nowNanos) {
    add(Cause.STALL, passTo(nowNanos));
  }

  /** The training waited for a checkpoint in the middle of the present iteration. */
  public void waited(long nanos) {
    add(Cause.STALL, nanos);
    atNanos += nanos;
  }

  /** The session is about to end: an iteration that was being computed is lost. */
  public void closing(long nowNanos) {
    long passed = passTo(nowNanos);
    if (!ended) {
      add(computing ? Cause.DETECTION : Cause.WARM_UP, passed);
    }
  }

  /** The training ended in order with the last iteration, unless it computes another one. */
  public void ended() {
    ended = true;
  }

  /**
   * The account up to the last call.
   *
   * @param nowNanos the present, by the clock of all calls
   * @param nowMillis the same moment by the wall clock
   */
  public GoodputRecord record(long nowNanos, long nowMillis) {
    SortedMap<Long, CauseTimes> all = new TreeMap<>();
    before.ifPresent(known -> all.putAll(known.epochs()));
    epochs.forEach((number, times) -> all.merge(number, positive(times), CauseTimes::plus));
    long asOfMillis = nowMillis - (nowNanos - atNanos) / 1_000_000;
    return new GoodputRecord(asOfMillis, furthest, Math.round(usualNanos), ended, all);
  }

  /** The times of this incarnation alone, with the gap before it. */
  public CauseTimes here() {
    return epochs.values().stream()
        .map(Goodput::positive)
        .reduce(CauseTimes.NONE, CauseTimes::plus);
  }

  private static CauseTimes positive(Map<Cause, Long> times) {
    Map<Cause, Long> copy = new EnumMap<>(times);
    long flush = copy.getOrDefault(Cause.FLUSH, 0L);
    if (flush < 0) {
      copy.remove(Cause.FLUSH);
      copy.merge(Cause.TRAINING, flush, Long::sum);
    }
    return new CauseTimes(copy);
  }
}
