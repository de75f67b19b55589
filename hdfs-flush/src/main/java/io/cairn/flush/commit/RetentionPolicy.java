package io.cairn.flush.commit;

import io.cairn.CheckpointId;
import io.cairn.core.model.CheckpointFacts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Which of a group's sealed checkpoints are kept: the newest few, landmarks, the best by their
 * scores, and young ones. A checkpoint stays if any of these rules keeps it. A landmark is the
 * first checkpoint of each window of so many iterations.
 *
 * @param newest how many of the newest, at least 1
 * @param everyIterations the length of a window; 0 for no landmarks
 * @param best how many of the best; 0 for none
 * @param order which score is the best
 * @param younger the age, relative to the newest, below which a checkpoint stays; 0 for no such
 *     rule
 */
public record RetentionPolicy(
    int newest, long everyIterations, int best, Order order, Duration younger) {
  /** So many steps of a clock, or pauses, between two epochs make a kept checkpoint too old. */
  private static final int STEPS = 10;

  /** Which of two scores is the better one. */
  public enum Order {
    /** The lower one, as of a loss. */
    LOWEST,
    /** The higher one, as of an accuracy. */
    HIGHEST
  }

  /** Why a checkpoint stays. */
  public enum Rule {
    /** It is among the newest. */
    NEWEST,
    /** It is the first of its window of iterations. */
    LANDMARK,
    /** Its score is among the best. */
    BEST,
    /** It is young. */
    YOUNG
  }

  /** Checks the numbers. */
  public RetentionPolicy {
    if (newest < 1 || everyIterations < 0 || best < 0 || younger.isNegative()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              ("keep %d checkpoints, the first of each %d iterations, the best %d, and those"
                  + " younger than %s: keep at least 1, and 0 or more"),
              newest,
              everyIterations,
              best,
              younger));
    }
  }

  /** Keeps the newest ones alone. */
  public static RetentionPolicy newest(int newest) {
    return new RetentionPolicy(newest, 0, 0, Order.LOWEST, Duration.ZERO);
  }

  /** Whether no rule keeps a checkpoint that is not among the newest. */
  boolean keepsNewestAlone() {
    return everyIterations == 0 && best == 0 && younger.isZero();
  }

  /** The same, with so many of the newest. */
  public RetentionPolicy withNewest(int number) {
    return new RetentionPolicy(number, everyIterations, best, order, younger);
  }

  /** The same, with the first of each so many iterations. */
  public RetentionPolicy andEvery(long iterations) {
    return new RetentionPolicy(newest, iterations, best, order, younger);
  }

  /** The same, with so many of the best. */
  public RetentionPolicy andBest(int number, Order by) {
    return new RetentionPolicy(newest, everyIterations, number, by, younger);
  }

  /** The same, with those younger than an age. */
  public RetentionPolicy andYounger(Duration age) {
    return new RetentionPolicy(newest, everyIterations, best, order, age);
  }

  /**
   * The checkpoints to keep. A landmark stays one, whatever follows it. Of equal scores the older
   * one is better, so a best one goes only for a better one. O(n log n).
   *
   * <p>Ages are relative to the newest known time, so no clock is asked. The times within an epoch
   * are of one steady clock. That of another epoch may have stepped meanwhile, so the time between
   * two epochs counts at least 0, and at most as a tenth of the age that is kept.
   *
   * @param alive of one line, the newest first
   * @param facts about them; those of which nothing is known have neither score nor time
   * @return in the same order
   */
  List<CheckpointId> kept(List<CheckpointId> alive, Map<CheckpointId, CheckpointFacts> facts) {
    return List.copyOf(rules(alive, facts).keySet());
  }

  /** Like {@link #kept}, with the rules that keep each of them. */
  Map<CheckpointId, Set<Rule>> rules(
      List<CheckpointId> alive, Map<CheckpointId, CheckpointFacts> facts) {
    Set<CheckpointId> best = new HashSet<>(bestOf(alive, facts));
    Set<CheckpointId> young = new HashSet<>(young(alive, facts));
    Map<CheckpointId, Set<Rule>> kept = new LinkedHashMap<>();
    for (int i = 0; i < alive.size(); i++) {
      CheckpointId id = alive.get(i);
      Set<Rule> rules = EnumSet.noneOf(Rule.class);
      add(rules, Rule.NEWEST, i < newest);
      add(rules, Rule.LANDMARK, isFirstOfWindow(alive, i));
      add(rules, Rule.BEST, best.contains(id));
      add(rules, Rule.YOUNG, young.contains(id));
      if (!rules.isEmpty()) {
        kept.put(id, rules);
      }
    }
    return kept;
  }

  private static void add(Set<Rule> rules, Rule rule, boolean holds) {
    if (holds) {
      rules.add(rule);
    }
  }

  private boolean isFirstOfWindow(List<CheckpointId> alive, int index) {
    return everyIterations > 0
        && (index == alive.size() - 1 || window(alive.get(index)) != window(alive.get(index + 1)));
  }

  private long window(CheckpointId id) {
    return id.iteration() / everyIterations;
  }

  private List<CheckpointId> bestOf(
      List<CheckpointId> alive, Map<CheckpointId, CheckpointFacts> facts) {
    List<CheckpointId> scored = new ArrayList<>(alive);
    scored.removeIf(id -> of(facts, id).score().isEmpty());
    Collections.reverse(scored);
    Comparator<CheckpointId> byScore =
        Comparator.comparingDouble(id -> of(facts, id).score().orElseThrow());
    scored.sort(order == Order.LOWEST ? byScore : byScore.reversed());
    return scored.subList(0, Math.min(best, scored.size()));
  }

  private List<CheckpointId> young(
      List<CheckpointId> alive, Map<CheckpointId, CheckpointFacts> facts) {
    List<CheckpointId> young = new ArrayList<>();
    List<CheckpointId> timed = new ArrayList<>(younger.isZero() ? List.of() : alive);
    timed.removeIf(id -> of(facts, id).sealed().isEmpty());
    Duration age = Duration.ZERO;
    for (int i = 0; i < timed.size() && age.compareTo(younger) < 0; i++) {
      young.add(timed.get(i));
      if (i + 1 < timed.size()) {
        age = age.plus(between(timed.get(i + 1), timed.get(i), facts));
      }
    }
    return young;
  }

  private Duration between(
      CheckpointId older, CheckpointId newer, Map<CheckpointId, CheckpointFacts> facts) {
    Duration passed =
        Duration.between(
            of(facts, older).sealed().orElseThrow(), of(facts, newer).sealed().orElseThrow());
    Duration most = younger.dividedBy(STEPS);
    if (passed.isNegative()) {
      return Duration.ZERO;
    }
    return older.epoch() == newer.epoch() || passed.compareTo(most) < 0 ? passed : most;
  }

  private static CheckpointFacts of(Map<CheckpointId, CheckpointFacts> facts, CheckpointId id) {
    return facts.getOrDefault(id, CheckpointFacts.NONE);
  }
}
