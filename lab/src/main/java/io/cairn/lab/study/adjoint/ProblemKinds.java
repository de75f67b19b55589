package io.cairn.lab.study.adjoint;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/** The kinds of problems, by the name that lines give them. */
final class ProblemKinds {
  private static final Map<String, Function<Problem, Solution>> SOLVERS = new LinkedHashMap<>();

  static {
    SOLVERS.put("binomial", ScheduleAnswers::binomial);
    SOLVERS.put("tiers", TierAnswers::tiers);
    SOLVERS.put("disk", TierAnswers::disk);
    SOLVERS.put("overlap", TierAnswers::overlap);
    SOLVERS.put("everyKth", ScheduleAnswers::everyKth);
    SOLVERS.put("periodic", ScheduleAnswers::periodic);
    SOLVERS.put("bestPeriod", ScheduleAnswers::bestPeriod);
    SOLVERS.put("online", ScheduleAnswers::online);
    SOLVERS.put("onlineUntil", ScheduleAnswers::onlineUntil);
    SOLVERS.put("mixed", ScheduleAnswers::mixed);
    SOLVERS.put("moves", HistoryAnswers::moves);
    SOLVERS.put("nextUse", HistoryAnswers::nextUse);
    SOLVERS.put("misses", HistoryAnswers::misses);
    SOLVERS.put("pipe", HistoryAnswers::pipe);
  }

  private ProblemKinds() {}

  /**
   * Answers a problem.
   *
   * @throws IllegalArgumentException naming the member that is wrong, or if there is no such kind
   */
  static Solution solve(String kind, Problem problem) {
    Function<Problem, Solution> solver = SOLVERS.get(kind);
    if (solver == null) {
      throw new IllegalArgumentException(
          "\"kind\" must be one of %s, not \"%s\"".formatted(SOLVERS.keySet(), kind));
    }
    return solver.apply(problem);
  }
}
