package io.cairn.core.cadence;

import io.cairn.Level;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/**
 * A job in virtual time, iteration by iteration, under random failures. Each level's failures come
 * from a stream of their own, the same for every cadence, so that cadences can be compared
 * pairwise. Shares no code with the models.
 */
public final class VirtualJob {
  private static final double NEVER = Double.POSITIVE_INFINITY;
  private static final Level[] LEVELS = Level.values();
  private static final double NANOS = 1e9;

  /** The true costs of the levels of this job, in the order of the levels. */
  public record Truth(
      double iterationSeconds,
      List<Double> mtbf,
      List<Double> stop,
      List<Double> latency,
      List<Double> slower,
      List<Double> recovery) {
    public Truth times(double factor) {
      return new Truth(
          iterationSeconds, mtbf, scaled(stop, factor), scaled(latency, factor), slower, recovery);
    }

    private static List<Double> scaled(List<Double> values, double factor) {
      return values.stream().map(value -> value * factor).toList();
    }
  }

  private final SplittableRandom[] streams = new SplittableRandom[LEVELS.length];
  private final double[] nextFailure = new double[LEVELS.length];
  private final double[] flushEnd = {NEVER, NEVER, NEVER, NEVER};
  private final double[] flushLasts = new double[LEVELS.length];
  private final long[] flushed = new long[LEVELS.length];
  private final long[] newest = new long[LEVELS.length];
  private final Optional<AdaptiveCadence> adaptive;
  private FollowedCadence cadence;

  /** Due levels by iteration of the pattern, of a plan that nothing changes; else empty. */
  private final List<Set<Level>> fixed;

  private final double iterationSeconds;
  private final double[] mtbf;
  private double[] stop;
  private double[] latency;
  private final double[] slower;
  private final double[] recovery;
  private double now;
  private long iteration;
  private int patterns;

  public VirtualJob(Truth truth, long seed, Optional<AdaptiveCadence> adaptive, CadencePlan start) {
    iterationSeconds = truth.iterationSeconds();
    mtbf = array(truth.mtbf());
    stop = array(truth.stop());
    latency = array(truth.latency());
    slower = array(truth.slower());
    recovery = array(truth.recovery());
    this.adaptive = adaptive;
    this.cadence = new FollowedCadence(start);
    fixed = adaptive.isPresent() ? List.of() : pattern(start);
    for (Level level : LEVELS) {
      int index = index(level);
      streams[index] = new SplittableRandom(seed * LEVELS.length + index).split();
      nextFailure[index] = draw(index);
    }
    adaptive.ifPresent(a -> a.resumed(0, 0, Optional.empty(), 0));
  }

  private static int index(Level level) {
    return level.compareTo(Level.DEVICE);
  }

  private double draw(int level) {
    return -Math.log(1 - streams[level].nextDouble()) * mtbf[level];
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(value -> value).toArray();
  }

  /** From now on checkpoints cost something else. */
  public void change(Truth changed) {
    stop = array(changed.stop());
    latency = array(changed.latency());
  }

  public int patterns() {
    return patterns;
  }

  /** The part of the time so far that was not work. */
  public double waste() {
    return 1 - iteration * iterationSeconds / now;
  }

  public double nowSeconds() {
    return now;
  }

  public void runUntil(double seconds) {
    while (now < seconds) {
      step();
    }
  }

  private void step() {
    Set<Level> during = adaptive.isPresent() ? flushing() : Set.of(); // else nobody measures
    double workEnd = now + stretched();
    Set<Level> due = due(iteration + 1);
    double end = workEnd;
    for (Level level : due) {
      end += stop[index(level)];
    }
    double failure = Math.min(Math.min(nextFailure[0], nextFailure[1]), nextFailure[2]);
    failure = Math.min(failure, nextFailure[3]);
    if (failure < end) {
      fail(failure);
      return;
    }
    double work = workEnd - now;
    now = end;
    iteration++;
    endFlushes();
    adaptive.ifPresent(a -> a.progressed(now, iteration));
    take(due, work, during);
  }

  private Set<Level> due(long reached) {
    return fixed.isEmpty()
        ? cadence.reach(reached).levels()
        : fixed.get((int) (reached % fixed.size()));
  }

  private static List<Set<Level>> pattern(CadencePlan plan) {
    return LongStream.range(0, plan.patternIterations())
        .mapToObj(reached -> Level.where(level -> plan.due(level, reached)))
        .toList();
  }

  private Set<Level> flushing() {
    return Level.where(level -> flushEnd[index(level)] != NEVER);
  }

  /** How long the next iteration takes beside the flushes that run. */
  private double stretched() {
    double left = iterationSeconds;
    double taken = 0;
    while (true) {
      double slow = 1;
      double until = NEVER;
      for (int level = 0; level < LEVELS.length; level++) {
        double rest = flushEnd[level] - now - taken;
        if (rest > 1e-12 && rest != NEVER) {
          slow += slower[level];
          until = Math.min(until, rest);
        }
      }
      if (left * slow <= until) {
        return taken + left * slow;
      }
      left -= until / slow;
      taken += until;
    }
  }

  private void take(Set<Level> due, double work, Set<Level> during) {
    for (Level level : due) {
      int index = index(level);
      if (latency[index] == 0) {
        count(index, iteration);
        Measurement measured =
            new Measurement((long) (stop[index] * NANOS), 0, (long) (work * NANOS), during);
        adaptive.ifPresent(a -> a.measured(0, level, measured));
      } else if (flushEnd[index] == NEVER) {
        flushed[index] = iteration;
        flushLasts[index] = latency[index];
        flushEnd[index] = now + flushLasts[index];
      }
    }
  }

  private void endFlushes() {
    for (Level level : LEVELS) {
      int index = index(level);
      if (flushEnd[index] <= now) {
        flushEnd[index] = NEVER;
        count(index, flushed[index]);
        Measurement measured =
            new Measurement(
                (long) (stop[index] * NANOS), (long) (flushLasts[index] * NANOS), 0, Set.of());
        adaptive.ifPresent(a -> a.measured(0, level, measured));
        if (level == Level.STORE) {
          patterns++;
          adaptive.ifPresent(this::decide);
        }
      }
    }
  }

  private void decide(AdaptiveCadence deciding) {
    deciding
        .patternEnded()
        .flatMap(search -> deciding.found(search.run(), 2))
        .ifPresent(
            next -> {
              if (!cadence.plan(next)) {
                throw new IllegalStateException(next + " comes too late at " + iteration);
              }
              cadence.decided(next.version(), true);
              deciding.adopted(next);
            });
  }

  private void count(int level, long checkpoint) {
    for (int lower = 0; lower <= level; lower++) {
      newest[lower] = Math.max(newest[lower], checkpoint);
    }
  }

  private void fail(double first) {
    now = first;
    int level = struck();
    endFlushes();
    double began = now;
    while (true) {
      double end = now + recovery[level];
      double failure = NEVER;
      for (double next : nextFailure) {
        failure = Math.min(failure, next);
      }
      if (failure >= end) {
        now = end;
        break;
      }
      now = failure;
      level = Math.max(level, struck());
    }
    rollBack(level, now - began);
  }

  /** The highest level that a failure strikes now; its stream advances. */
  private int struck() {
    int highest = -1;
    for (int level = 0; level < LEVELS.length; level++) {
      if (nextFailure[level] <= now) {
        nextFailure[level] += draw(level);
        highest = level;
      }
    }
    return highest;
  }

  private void rollBack(int level, double recoverySeconds) {
    long target = newest[level];
    for (int lower = 0; lower < LEVELS.length; lower++) {
      newest[lower] = lower < level ? target : newest[lower];
      if (lower <= level || flushed[lower] > target) {
        flushEnd[lower] = NEVER;
      }
    }
    iteration = target;
    adaptive.ifPresent(
        a -> {
          a.resumed(now, target, Optional.of(LEVELS[level]), recoverySeconds);
          cadence = new FollowedCadence(a.plan());
        });
  }
}
