package io.cairn.core.cadence;

import static java.util.Objects.requireNonNull;

import io.cairn.Level;
import io.cairn.core.model.LevelSpec;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Keeps the newest checkpoint of a group from becoming older than a bound, level by level. After
 * each capture it decides which levels cannot wait for the next one. It has no clock: callers pass
 * the time. Not thread-safe; one per epoch. O(checkpoints on their way) per call.
 */
public final class WorkAtRisk {
  /*
   * Rule
   *
   * The age of the newest checkpoint of a level is the time since it was captured. A capture is
   * sent to a level if the next capture would arrive there later than the bound. The next capture
   * is expected after as long as the last one took, and its latency is that of the last one, each
   * with a margin. Checkpoints on their way count as if they had arrived: they do, or are reported
   * as not sealed.
   *
   * An epoch begins with no checkpoint at any level, so its first capture goes to every bounded
   * level. Otherwise an epoch per failure could postpone a level for ever.
   *
   * A group that misses several captures at DEVICE has nothing to send. Then a later iteration is
   * ordered in advance, so early that the order most likely reaches every rank before the
   * iteration. The ordered iteration counts as on its way from the order on.
   *
   * A level that fails is tried again after an eighth of its bound, not with every iteration. A
   * level whose latency is above half its bound cannot keep it, and receives one at a time. A
   * checkpoint that is on its way for several bounds is taken for lost.
   *
   * A checkpoint that is sent to PEER goes to NODE, too, from where it is fetched.
   */
  private static final double MARGIN = 1.5;
  private static final double RETRY_SHARE = 1 / 8.0;
  private static final double PATIENCE = 4;

  /** Fewer are made up for by the next capture. */
  private static final int MISSED_IN_A_ROW = 3;

  /** An order is for an iteration that begins so much later, at least. */
  private static final double LEAD_SECONDS = 1;

  private static final double SMOOTHING = 1 / 8.0;

  private static final long LEAD_CAPTURES = 2;
  private static final double MOST_LEAD_CAPTURES = 1e6;

  private static final class Bounded {
    private final double withinSeconds;

    /** By iteration, when each checkpoint on its way was captured. */
    private final NavigableMap<Long, Double> onTheWay = new TreeMap<>();

    /** Those of them that were ordered before they were captured. */
    private final NavigableSet<Long> ordered = new TreeSet<>();

    private double newest = Double.NEGATIVE_INFINITY;
    private double latency;
    private double lastSent = Double.NEGATIVE_INFINITY;

    Bounded(double withinSeconds) {
      this.withinSeconds = withinSeconds;
    }

    void send(long iteration, double now) {
      onTheWay.put(iteration, now);
      lastSent = now;
    }

    void order(long iteration, double expected) {
      send(iteration, expected);
      ordered.add(iteration);
    }

    /** A sealed checkpoint makes up for all older ones. */
    void sealed(long iteration, double now) {
      Map.Entry<Long, Double> sent = onTheWay.floorEntry(iteration);
      if (sent != null) {
        onTheWay.headMap(sent.getKey(), true).clear();
        newest = Math.max(newest, sent.getValue());
        // an ordered iteration may come earlier than it was expected
        latency = Math.max(0, now - sent.getValue());
        ordered.retainAll(onTheWay.keySet());
      }
    }

    /** One that will not be sealed ends itself, or the order that it carries out. */
    void failed(long iteration) {
      Long order = ordered.floor(iteration);
      if (onTheWay.remove(iteration) == null && order != null) {
        onTheWay.remove(order);
      }
      ordered.retainAll(onTheWay.keySet());
    }

    boolean cannotWait(double now, double gap) {
      double lost = now - PATIENCE * Math.max(withinSeconds, latency);
      onTheWay.values().removeIf(captured -> captured < lost);
      if (!onTheWay.isEmpty() && slowest(now) > withinSeconds / 2) {
        return false;
      }
      double covered = onTheWay.isEmpty() ? newest : Math.max(newest, newestOnTheWay());
      return now + (gap + latency) * MARGIN > covered + withinSeconds
          && now >= lastSent + withinSeconds * RETRY_SHARE;
    }

    /** The latency, or the time that the oldest checkpoint on its way has taken so far. */
    private double slowest(double now) {
      return Math.max(latency, now - onTheWay.firstEntry().getValue());
    }

    private double newestOnTheWay() {
      return onTheWay.lastEntry().getValue();
    }
  }

  private final Map<Level, Bounded> levels = new EnumMap<>(Level.class);
  private double lastCapture = Double.NaN;
  private double gap;

  /** Smoothed, since a single short gap would put an order far off. */
  private double usualGap;

  private long lastIteration = -1;
  private long step = 1;
  private int missed;

  /** An epoch with these bounds. */
  public WorkAtRisk(Map<Level, Double> withinSeconds) {
    withinSeconds.forEach((level, within) -> levels.put(level, new Bounded(within)));
  }

  /**
   * Checks bounds, and copies them.
   *
   * @throws IllegalArgumentException naming the level whose bound is not above 0, or is DEVICE,
   *     which no capture can be sent to
   */
  static Map<Level, Double> checked(Map<Level, Double> withinSeconds) {
    withinSeconds.forEach(
        (level, within) -> {
          if (level == Level.DEVICE || !(within > 0)) {
            throw new IllegalArgumentException(
                "a checkpoint at " + level + " cannot be kept within " + within + " s");
          }
        });
    return Map.copyOf(withinSeconds);
  }

  /**
   * Every rank has captured an iteration.
   *
   * @param due the levels that it goes to by the plan
   * @return the levels that it has to be sent to, too
   */
  public Set<Level> captured(long iteration, double nowSeconds, Set<Level> due) {
    reached(iteration, nowSeconds);
    missed = 0;
    Set<Level> early = EnumSet.noneOf(Level.class);
    levels.forEach(
        (level, bounded) -> {
          if (due.contains(level)) {
            bounded.send(iteration, nowSeconds);
          } else if (bounded.cannotWait(nowSeconds, gap)) {
            bounded.send(iteration, nowSeconds);
            early.add(level);
          }
        });
    return withSource(iteration, nowSeconds, early, due);
  }

  /** A level whose copies are fetched from another one gets nothing that is not sent there, too. */
  private Set<Level> withSource(
      long iteration, double capturedSeconds, Set<Level> sent, Set<Level> due) {
    for (Level level : List.copyOf(sent)) {
      Level source = LevelSpec.of(level).readsFrom();
      if (LevelSpec.of(level).isFetched() && !due.contains(source) && sent.add(source)) {
        Bounded bounded = levels.get(source);
        if (bounded != null && iteration > lastIteration) {
          bounded.order(iteration, capturedSeconds);
        } else if (bounded != null) {
          bounded.send(iteration, capturedSeconds);
        }
      }
    }
    return sent;
  }

  /**
   * Levels that an iteration goes to, which no rank may have reached yet.
   *
   * @param levels none if no level needs it
   */
  public record Order(long iteration, Set<Level> levels) {
    /** Copies the set. */
    public Order {
      levels = Level.where(levels::contains);
    }
  }

  /**
   * A rank did not capture an iteration at DEVICE, so the group cannot send it anywhere later.
   *
   * @param due the levels that it is due at, and may reach without having been at DEVICE
   * @return a later iteration, and the levels that it has to go to; no levels before several
   *     iterations in a row were missed
   */
  public Order missed(long iteration, double nowSeconds, Set<Level> due) {
    reached(iteration, nowSeconds);
    missed++;
    if (missed < MISSED_IN_A_ROW) {
      return new Order(iteration, Set.of());
    }
    double captures = usualGap > 0 ? Math.min(MOST_LEAD_CAPTURES, LEAD_SECONDS / usualGap) : 0;
    long lead = LEAD_CAPTURES + (long) captures;
    Set<Level> ordered = EnumSet.noneOf(Level.class);
    levels.forEach(
        (level, bounded) -> {
          if (due.contains(level)) {
            bounded.send(iteration, nowSeconds);
          } else if (bounded.cannotWait(nowSeconds, usualGap * (lead + 1))) {
            bounded.order(iteration + lead * step, nowSeconds + usualGap * lead);
            ordered.add(level);
          }
        });
    double expected = nowSeconds + usualGap * lead;
    long later = iteration + lead * step;
    return new Order(later, withSource(later, expected, ordered, Set.of()));
  }

  private void reached(long iteration, double nowSeconds) {
    gap = Double.isNaN(lastCapture) ? 0 : Math.max(0, nowSeconds - lastCapture);
    lastCapture = nowSeconds;
    usualGap = usualGap > 0 ? usualGap + SMOOTHING * (gap - usualGap) : gap;
    step = Math.max(1, iteration - lastIteration);
    lastIteration = iteration;
  }

  /**
   * A checkpoint is sealed at a level, or will never be. Other levels are ignored. A rank without
   * an ordered iteration captures its next one instead, so that one settles the order.
   */
  public void settled(long iteration, Level level, boolean sealed, double nowSeconds) {
    if (levels.containsKey(level)) {
      Bounded bounded = requireNonNull(levels.get(level));
      if (sealed) {
        bounded.sealed(iteration, nowSeconds);
      } else {
        bounded.failed(iteration);
      }
    }
  }
}
