package io.cairn.lab.bench.collaborative;

import io.cairn.core.flow.FlowOutcome;
import io.cairn.core.flow.FlowProblem;
import io.cairn.core.flow.FlowScheduler;
import io.cairn.lab.study.schedule.Algorithm;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A desk's scheduler that is another one whenever that is wanted, and that remembers what it was
 * asked last and what it said. Scheduling and all else may be done by different threads.
 */
final class SwitchedScheduler implements FlowScheduler {
  private final Map<Algorithm, FlowScheduler> schedulers = new EnumMap<>(Algorithm.class);
  private volatile Algorithm algorithm = Algorithm.EXACT;
  private volatile Optional<Scheduled> last = Optional.empty();

  /** A problem and its solution. */
  record Scheduled(FlowProblem problem, FlowOutcome outcome) {}

  SwitchedScheduler() {
    for (Algorithm each : Algorithm.values()) {
      schedulers.put(each, each.scheduler(true));
    }
  }

  /** From the next problem on it is this one; forgets the last. */
  void switchTo(Algorithm next) {
    algorithm = next;
    last = Optional.empty();
  }

  @Override
  public FlowOutcome schedule(FlowProblem problem) {
    FlowOutcome outcome = Objects.requireNonNull(schedulers.get(algorithm)).schedule(problem);
    last = Optional.of(new Scheduled(problem, outcome));
    return outcome;
  }

  /** The last schedule since {@link #switchTo}. */
  Optional<Scheduled> last() {
    return last;
  }
}
