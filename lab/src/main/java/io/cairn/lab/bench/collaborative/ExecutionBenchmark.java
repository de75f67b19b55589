package io.cairn.lab.bench.collaborative;

import io.cairn.lab.study.schedule.Algorithm;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Executes snapshots with every algorithm, and some once more with a slow link. The algorithms take
 * turns on each snapshot, so that drift of this machine hits all alike.
 */
final class ExecutionBenchmark {
  /** All links together need at most so much of what this machine copies. */
  private static final double MOST_OF_COPY_RATE = 0.5;

  private final CollaborativePlan plan;
  private final List<Drawing> drawings;
  private final Runnable advance;

  /**
   * A benchmark of what was drawn.
   *
   * @param advance called after each of {@link #steps}
   */
  ExecutionBenchmark(CollaborativePlan plan, List<Drawing> drawings, Runnable advance) {
    this.plan = plan;
    this.drawings = drawings;
    this.advance = advance;
  }

  /** How often {@code advance} is called. */
  static int steps(CollaborativePlan plan, List<Drawing> drawings) {
    int snapshots = drawings.stream().mapToInt(drawing -> drawing.moments().size()).sum();
    return plan.runs() * (snapshots * Algorithm.values().length + plan.controls());
  }

  ExecutionFindings run() throws IOException {
    double copyRate = CopyRate.measure(plan.chunkBytes());
    PlayedMachine machine = machine(copyRate);
    List<Execution> results = new ArrayList<>();
    for (Drawing drawing : drawings) {
      try (WorkerGroup workers = new WorkerGroup(machine, drawing, null)) {
        workers.warmUp(drawing.moments().get(0));
        for (Moment moment : drawing.moments()) {
          results.addAll(execute(workers, moment));
        }
      }
    }
    Control control = Control.choose(drawings, plan.controls());
    return new ExecutionFindings(
        machine, copyRate, drawings, control.link(), results, execute(machine, control));
  }

  /** As slow as it must be for the shortest plan, and for all links at once. */
  private PlayedMachine machine(double copyBytesPerSecond) {
    PlayedMachine unslowed = new PlayedMachine(plan.devices(), plan.chunkBytes(), 1);
    double shortest = drawings.stream().mapToDouble(Drawing::leastSeconds).min().orElseThrow();
    double slowdown =
        Math.max(
            plan.leastSeconds() / shortest,
            unslowed.bytesPerSecond() / (MOST_OF_COPY_RATE * copyBytesPerSecond));
    return new PlayedMachine(plan.devices(), plan.chunkBytes(), slowdown);
  }

  private List<Execution> execute(WorkerGroup workers, Moment moment) throws IOException {
    Map<Algorithm, List<Execution>> runs = new EnumMap<>(Algorithm.class);
    List<Algorithm> turns = new ArrayList<>(List.of(Algorithm.values()));
    for (int run = 0; run < plan.runs(); run++) {
      for (Algorithm algorithm : turns) {
        runs.computeIfAbsent(algorithm, a -> new ArrayList<>())
            .add(workers.execute(moment, algorithm));
        advance.run();
      }
      Collections.rotate(turns, 1);
    }
    return runs.values().stream().map(Execution::median).toList();
  }

  private List<Execution> execute(PlayedMachine machine, Control control) throws IOException {
    List<Execution> results = new ArrayList<>();
    try (WorkerGroup workers = new WorkerGroup(machine, control.drawing(), control.link())) {
      workers.warmUp(control.moments().get(0));
      for (Moment moment : control.moments()) {
        List<Execution> runs = new ArrayList<>();
        for (int run = 0; run < plan.runs(); run++) {
          runs.add(workers.execute(moment, Algorithm.EXACT));
          advance.run();
        }
        results.add(Execution.median(runs));
      }
    }
    return results;
  }
}
