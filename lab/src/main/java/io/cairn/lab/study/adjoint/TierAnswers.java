package io.cairn.lab.study.adjoint;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cairn.adjoint.schedule.Binomial;
import io.cairn.adjoint.schedule.OverlappedSchedule;
import io.cairn.adjoint.schedule.Schedule;
import io.cairn.adjoint.schedule.Schedules;
import io.cairn.adjoint.schedule.Tier;
import java.util.List;
import java.util.Optional;

/** Answers about schedules over several tiers. Their costs count reversals too. */
final class TierAnswers {
  private static final int MOST_READ_ONCE_STEPS = 10_000;

  private TierAnswers() {}

  static Solution tiers(Problem problem) {
    int steps = ScheduleAnswers.steps(problem, Schedules.MOST_TABLED_STEPS);
    long forwardCost = problem.cost("uf");
    long reversals = (long) steps * problem.cost("ub");
    List<Tier> tiers = problem.tiers();
    Schedule levelOrdered = Schedules.tiers(steps, tiers, forwardCost);
    boolean ordered = isOrdered(tiers);
    Optional<Schedule> optimum =
        ordered ? Optional.of(levelOrdered) : LifoOptimum.of(steps, tiers, forwardCost);
    ObjectNode answer = ScheduleAnswers.object();
    optimum.ifPresent(least -> answer.put("optimum", cost(least, forwardCost) + reversals));
    answer.put("levelOrdered", cost(levelOrdered, forwardCost) + reversals).put("ordered", ordered);
    return new Solution(answer, optimum.orElse(levelOrdered), steps);
  }

  /** The cost of the actions, reversals not counted. */
  private static long cost(Schedule schedule, long forwardCost) {
    return schedule.cost().total(schedule.tiers(), forwardCost);
  }

  private static boolean isOrdered(List<Tier> tiers) {
    for (int i = 1; i < tiers.size(); i++) {
      Tier upper = tiers.get(i - 1);
      Tier lower = tiers.get(i);
      if (lower.writeCost() < upper.writeCost() || lower.readCost() < upper.readCost()) {
        return false;
      }
    }
    return true;
  }

  static Solution disk(Problem problem) {
    int steps = ScheduleAnswers.steps(problem, MOST_READ_ONCE_STEPS);
    int memory = problem.whole("ram", 1, Integer.MAX_VALUE);
    Tier disk = new Tier("disk", Tier.UNLIMITED, problem.cost("wd"), problem.cost("rd"));
    long forwardCost = problem.cost("uf");
    long reversals = (long) steps * problem.cost("ub");
    List<Tier> tiers = List.of(Tier.free(Math.min(steps, memory)), disk);
    Schedule schedule = Schedules.tiers(steps, tiers, forwardCost);
    ObjectNode answer = ScheduleAnswers.object();
    answer.put("memoryOnly", forwardCost * Binomial.advances(steps, memory) + reversals);
    answer.put("readOften", cost(schedule, forwardCost) + reversals);
    answer.put("readOnce", readOnce(steps, memory, disk, forwardCost) + reversals);
    return new Solution(answer, schedule, steps);
  }

  static Solution overlap(Problem problem) {
    int steps = ScheduleAnswers.steps(problem, OverlappedSchedule.MOST_STEPS);
    OverlappedSchedule schedule =
        Schedules.overlapped(steps, problem.tiers(), problem.cost("uf"), problem.cost("ub"));
    ObjectNode answer = ScheduleAnswers.object();
    answer.put("time", schedule.time()).put("leastTime", schedule.leastTime());
    answer.put("advances", schedule.cost().advances()).put("spare", schedule.spare());
    return new Solution(answer, schedule, steps);
  }

  /** The least cost if each state on the disk is read once (Aupy et al. 2016). O(steps²). */
  private static long readOnce(int steps, int memory, Tier disk, long forwardCost) {
    long[] within = new long[steps + 1];
    long[] least = new long[steps + 1];
    for (int length = 1; length <= steps; length++) {
      within[length] = forwardCost * Binomial.advances(length, memory);
      least[length] = within[length];
      for (int left = 1; left < length; left++) {
        long right = least[length - left] + disk.writeCost() + disk.readCost();
        least[length] = Math.min(least[length], left * forwardCost + right + within[left]);
      }
    }
    return least[steps];
  }
}
