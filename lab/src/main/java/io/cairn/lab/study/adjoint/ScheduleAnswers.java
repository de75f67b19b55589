package io.cairn.lab.study.adjoint;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cairn.adjoint.schedule.BestPeriod;
import io.cairn.adjoint.schedule.Binomial;
import io.cairn.adjoint.schedule.Cost;
import io.cairn.adjoint.schedule.Schedule;
import io.cairn.adjoint.schedule.Schedules;
import java.math.BigInteger;

/** Answers about schedules over one tier, and about periods. */
final class ScheduleAnswers {
  private static final int MOST_SNAPSHOTS = 1_000_000;

  /** The most steps of an answer that runs through its actions. */
  private static final int MOST_WALKED_STEPS = 1_000_000;

  private ScheduleAnswers() {}

  static Solution binomial(Problem problem) {
    int steps = steps(problem, (int) Binomial.MOST_STEPS);
    int snapshots = problem.whole("s", 1, MOST_SNAPSHOTS);
    ObjectNode answer = object();
    answer.put("advances", Binomial.advances(steps, snapshots));
    answer.put("repetition", Binomial.repetition(steps, snapshots));
    if (steps > 1) {
      answer.put("firstPlace", Binomial.firstPlace(steps, snapshots));
    }
    return new Solution(answer, Schedules.revolve(steps, snapshots), steps);
  }

  static Solution everyKth(Problem problem) {
    int steps = steps(problem, MOST_WALKED_STEPS);
    Cost cost = Schedules.everyNth(steps, problem.whole("k", 1, Integer.MAX_VALUE)).cost();
    return Solution.of(object().put("advances", cost.advances()).put("peak", cost.peaks().get(0)));
  }

  /** Closed forms: the segments before the last one have the length of the period. */
  static Solution periodic(Problem problem) {
    long steps = steps(problem, (int) Binomial.MOST_STEPS);
    long period = problem.whole("period", 1, Integer.MAX_VALUE);
    int snapshots = problem.whole("ram", 0, MOST_SNAPSHOTS) + 1;
    long full = (steps - 1) / period;
    long within = Binomial.advances(steps - full * period, snapshots);
    if (full > 0) {
      within += full * Binomial.advances(period, snapshots);
    }
    ObjectNode answer = object();
    answer.put("advances", full * period + within);
    answer.put("advancesOnline", steps + within);
    answer.put("diskCheckpoints", full + 1);
    return Solution.of(answer);
  }

  static Solution bestPeriod(Problem problem) {
    int snapshots = problem.whole("ram", 1, MOST_SNAPSHOTS);
    int forwardCost = problem.cost("uf");
    long diskCost = (long) problem.cost("wd") + problem.cost("rd");
    BestPeriod best = BestPeriod.of(snapshots, diskCost, forwardCost);
    long period = best.periods().get(0);
    long closed = closedForm(snapshots, diskCost, forwardCost);
    ObjectNode answer = object();
    ArrayNode periods = answer.putArray("periods");
    best.periods().forEach(periods::add);
    BigInteger divisor = BigInteger.valueOf(best.cost()).gcd(BigInteger.valueOf(period));
    answer
        .putArray("costPerStep")
        .add(best.cost() / divisor.longValueExact())
        .add(period / divisor.longValueExact());
    answer.put("closedForm", closed);
    answer.put("closedFormIsOptimal", best.periods().contains(closed));
    answer.put("period", period);
    return Solution.of(answer);
  }

  /**
   * C(snapshots + t, t) with the least t of which C(snapshots + 1 + t, t) steps cost more than the
   * disk (Aupy and Herrmann 2017).
   */
  private static long closedForm(int snapshots, long diskCost, long forwardCost) {
    long period = 1;
    long reached = 1;
    for (long t = 1; reached * forwardCost <= diskCost; t++) {
      period = period * (snapshots + t) / t;
      reached = reached * (snapshots + 1 + t) / t;
    }
    return period;
  }

  static Solution online(Problem problem) {
    int steps = steps(problem, MOST_WALKED_STEPS);
    int snapshots = problem.whole("s", 1, MOST_SNAPSHOTS);
    Schedule schedule = Schedules.online(snapshots, step -> step == steps - 1);
    ObjectNode answer = object();
    answer.put("least", Binomial.advances(steps, snapshots));
    answer.put("levelsRule", LevelsRule.advances(steps, snapshots));
    answer.put("pointwiseOptimalPossible", snapshots == 1 || steps <= optimalUntil(snapshots));
    answer.put("total", schedule.cost().advances());
    return new Solution(answer, schedule, steps);
  }

  static Solution onlineUntil(Problem problem) {
    return Solution.of(object().put("n", optimalUntil(problem.whole("s", 2, MOST_SNAPSHOTS))));
  }

  /** Stumm and Walther 2010, and one more: they count the steps before the last one. */
  private static long optimalUntil(long snapshots) {
    return (snapshots + 2) * (snapshots + 1) / 2 + 1;
  }

  static Solution mixed(Problem problem) {
    Schedule schedule =
        Schedules.mixed(
            steps(problem, Schedules.MOST_TABLED_STEPS), problem.whole("s", 0, MOST_SNAPSHOTS));
    return Solution.of(object().put("steps", schedule.cost().runs()));
  }

  static int steps(Problem problem, int most) {
    return problem.whole("n", 1, most);
  }

  static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }
}
