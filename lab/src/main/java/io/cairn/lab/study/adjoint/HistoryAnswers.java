package io.cairn.lab.study.adjoint;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.cairn.adjoint.schedule.Tier;

/** Answers about histories, which keep every state. */
final class HistoryAnswers {
  private static final int MOST_BYTES = 10_000_000;
  private static final int MOST_TIME = 1_000_000_000;

  private HistoryAnswers() {}

  static Solution moves(Problem problem) {
    long beyond = problem.whole("n", 1, Integer.MAX_VALUE);
    int[] slots = problem.slots("caps");
    ObjectNode answer = ScheduleAnswers.object();
    ArrayNode crossings = answer.putArray("crossings");
    for (int tier = 0; tier < slots.length - 1; tier++) {
      beyond = slots[tier] == Tier.UNLIMITED ? 0 : Math.max(0, beyond - slots[tier]);
      crossings.add(beyond);
    }
    return Solution.of(answer);
  }

  static Solution nextUse(Problem problem) {
    int capacity = problem.whole("capacity", 0, MOST_BYTES);
    CacheBytes bytes = new CacheBytes(problem.wholes("sizes", 0, capacity), capacity);
    ObjectNode answer = ScheduleAnswers.object();
    answer.put("nextUse", bytes.nextUse());
    answer.put("least", bytes.least());
    answer.put("leastThroughCache", bytes.leastThroughCache());
    return Solution.of(answer);
  }

  static Solution misses(Problem problem) {
    int[] reads = problem.wholes("reads", 0, Integer.MAX_VALUE);
    int slots = problem.whole("slots", 1, Integer.MAX_VALUE);
    return Solution.of(ScheduleAnswers.object().put("misses", ReadMisses.of(reads, slots)));
  }

  static Solution pipe(Problem problem) {
    int steps = problem.whole("n", 1, Problem.LONGEST_LIST);
    Pipe.Times times =
        new Pipe(
                problem.whole("slots", 1, Integer.MAX_VALUE),
                problem.whole("down", 0, MOST_TIME),
                problem.whole("up", 0, MOST_TIME),
                problem.whole("copy", 0, MOST_TIME))
            .times(
                problem.each("forward", steps, 0, MOST_TIME),
                problem.each("backward", steps, 0, MOST_TIME));
    ObjectNode answer = ScheduleAnswers.object();
    answer.put("forwardEnd", times.forwardEnd());
    answer.put("total", times.total());
    answer.put("waitedForward", times.waitedForward());
    answer.put("waitedBackward", times.waitedBackward());
    return Solution.of(answer);
  }
}
