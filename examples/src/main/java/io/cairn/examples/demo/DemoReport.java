package io.cairn.examples.demo;

import io.cairn.Level;
import io.cairn.examples.digits.FoldTraining;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * All that the demo found, as its JSON has it.
 *
 * @param cadence the periods of the disturbed run, by fold and time
 * @param waste of the disturbed run, by fold and epoch; of attempts that were long enough
 * @param rerunSeconds that the finished disturbed job took when it was run again
 * @param rerunIterations that it computed then
 * @param identical whether every fold ended with the same digest in all runs
 * @param problems what went otherwise than it must; empty if the demo succeeded
 */
record DemoReport(
    List<FoldReport> folds,
    List<Kill> kills,
    List<CadenceSummary.Plan> cadence,
    List<CadenceSummary.Waste> waste,
    double meanAccuracy,
    StallMillis stallMillis,
    long bytesPerCheckpoint,
    double rerunSeconds,
    long rerunIterations,
    boolean identical,
    double seconds,
    List<String> problems) {

  /** A kill, and the iterations that the named fold had done by then. */
  record Kill(String target, long pid, int fold, long iteration) {}

  /**
   * Time that training stood still per checkpoint, over the checkpoints of all attempts in all
   * runs.
   *
   * @param count checkpoints
   */
  record StallMillis(long count, double p50, double p99, double max) {}

  /** The events of the three runs, and the time of the last. */
  record Runs(Timeline undisturbed, Timeline disturbed, Timeline rerun, double rerunSeconds) {
    /** How every fold ended in every run. */
    List<FoldEvent.Done> ends() {
      return List.of(undisturbed, disturbed, rerun).stream()
          .flatMap(run -> DemoReport.numbers().mapToObj(run::done).flatMap(done -> done.stream()))
          .toList();
    }

    boolean identical() {
      return DemoReport.numbers()
          .allMatch(
              fold ->
                  List.of(disturbed, rerun).stream()
                      .allMatch(run -> run.digest(fold).equals(undisturbed.digest(fold))));
    }

    /** The nanoseconds that each checkpoint made its training wait, from the shortest. */
    long[] checkpoints() {
      return Stream.of(undisturbed, disturbed, rerun)
          .flatMap(run -> attempts(run).stream())
          .flatMap(attempt -> attempt.events(FoldEvent.Captured.class))
          .mapToLong(FoldEvent.Captured::blockedNanos)
          .sorted()
          .toArray();
    }

    List<Attempt> disturbedAttempts() {
      return attempts(disturbed);
    }

    long rerunIterations() {
      return FoldReport.count(attempts(rerun), FoldEvent.Step.class);
    }

    private static List<Attempt> attempts(Timeline run) {
      return DemoReport.numbers().mapToObj(run::attempts).flatMap(List::stream).toList();
    }
  }

  /**
   * The report of a demo.
   *
   * @throws IllegalStateException naming a fold that did not end in one of the first two runs
   */
  static DemoReport of(Runs runs, List<Blows.Kill> blows, double seconds) {
    List<FoldReport> folds =
        numbers()
            .mapToObj(fold -> FoldReport.of(fold, runs.undisturbed(), runs.disturbed()))
            .toList();
    List<Attempt> attempts = runs.disturbedAttempts();
    return new DemoReport(
        folds,
        blows.stream().map(b -> new Kill(b.target(), b.pid(), b.fold(), b.iteration())).toList(),
        attempts.stream().flatMap(attempt -> CadenceSummary.plans(attempt).stream()).toList(),
        attempts.stream().flatMap(attempt -> CadenceSummary.waste(attempt).stream()).toList(),
        folds.stream().mapToDouble(FoldReport::accuracy).average().orElse(0),
        stalls(runs.checkpoints()),
        runs.ends().stream().mapToLong(FoldEvent.Done::bytes).max().orElse(0),
        runs.rerunSeconds(),
        runs.rerunIterations(),
        runs.identical(),
        seconds,
        problems(folds, blows, runs));
  }

  private static IntStream numbers() {
    return IntStream.range(0, FoldTraining.FOLDS);
  }

  private static StallMillis stalls(long[] sorted) {
    return new StallMillis(
        sorted.length, millis(sorted, 0.50), millis(sorted, 0.99), millis(sorted, 1));
  }

  private static double millis(long[] sorted, double quantile) {
    return sorted.length == 0 ? 0 : sorted[(int) Math.ceil(quantile * sorted.length) - 1] / 1e6;
  }

  private static List<String> problems(List<FoldReport> folds, List<Blows.Kill> blows, Runs runs) {
    List<String> problems = new ArrayList<>();
    if (!runs.identical()) {
      problems.add("a fold ended with another digest than in the undisturbed run");
    }
    for (String target : List.of("executor", "machine")) {
      if (blows.stream().noneMatch(blow -> blow.target().equals(target))) {
        problems.add("the " + target + " was not killed: the training ended before it was time");
      }
    }
    for (Level level : List.of(Level.NODE, Level.STORE)) {
      if (folds.stream()
          .flatMap(fold -> fold.resumes().stream())
          .noneMatch(resume -> resume.level() == level && resume.iteration() > 0)) {
        problems.add("no fold resumed from " + level + " at an iteration above 0");
      }
    }
    problems.addAll(problemsOfEnds(folds));
    if (runs.rerunIterations() > 0) {
      problems.add("the finished job computed " + runs.rerunIterations() + " iterations again");
    }
    return problems;
  }

  private static List<String> problemsOfEnds(List<FoldReport> folds) {
    List<String> problems = new ArrayList<>();
    for (FoldReport fold : folds) {
      if (!fold.endSealed()) {
        problems.add("fold-" + fold.fold() + " ended, and its last iteration was not at STORE");
      }
      if (fold.iterationsAfterEnd() > 0) {
        problems.add(
            String.format(
                Locale.ROOT,
                "fold-%d had ended, and computed %d iterations again",
                fold.fold(),
                fold.iterationsAfterEnd()));
      }
    }
    return problems;
  }
}
