package io.cairn.examples.demo;

import io.cairn.core.model.Level;
import io.cairn.examples.digits.FoldTraining;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * All that the demo found, as its JSON has it.
 *
 * @param identical whether every fold ended with the same digest in both runs
 * @param problems what went otherwise than it must; empty if the demo succeeded
 */
record DemoReport(
    List<Fold> folds,
    List<Kill> kills,
    double meanAccuracy,
    StallMillis stallMillis,
    long bytesPerCheckpoint,
    boolean identical,
    double seconds,
    List<String> problems) {

  /** One fold; accuracy is a fraction. */
  record Fold(
      int fold,
      String digest,
      String undisturbedDigest,
      double accuracy,
      int attempts,
      List<Resume> resumes) {}

  /** Where an attempt went on from. */
  record Resume(Level level, long iteration) {
    @Override
    public String toString() {
      return level + " at " + iteration;
    }
  }

  /** A kill, and the iterations that the named fold had done by then. */
  record Kill(String target, long pid, int fold, long iteration) {}

  /** Time that training stood still per checkpoint, over all attempts that ended in order. */
  record StallMillis(double p50, double p99, double max) {}

  static DemoReport of(
      Timeline undisturbed, Timeline disturbed, List<Blows.Kill> blows, double seconds) {
    List<Fold> folds = new ArrayList<>();
    for (int fold = 0; fold < FoldTraining.FOLDS; fold++) {
      folds.add(fold(fold, undisturbed, disturbed));
    }
    List<FoldEvent.Done> ends = new ArrayList<>();
    for (int fold = 0; fold < FoldTraining.FOLDS; fold++) {
      undisturbed.done(fold).ifPresent(ends::add);
      disturbed.done(fold).ifPresent(ends::add);
    }
    boolean identical = folds.stream().allMatch(f -> f.digest().equals(f.undisturbedDigest()));
    return new DemoReport(
        folds,
        blows.stream().map(b -> new Kill(b.target(), b.pid(), b.fold(), b.iteration())).toList(),
        folds.stream().mapToDouble(Fold::accuracy).average().orElse(0),
        stalls(ends),
        ends.stream().mapToLong(FoldEvent.Done::bytes).max().orElse(0),
        identical,
        seconds,
        problems(folds, blows, identical));
  }

  private static Fold fold(int fold, Timeline undisturbed, Timeline disturbed) {
    FoldEvent.Done plain =
        undisturbed.done(fold).orElseThrow(() -> unfinished(fold, "undisturbed"));
    FoldEvent.Done struck = disturbed.done(fold).orElseThrow(() -> unfinished(fold, "disturbed"));
    List<Resume> resumes =
        disturbed.attempts(fold).stream()
            .flatMap(attempt -> attempt.resumed().stream())
            .map(resumed -> new Resume(resumed.level(), resumed.iteration()))
            .toList();
    return new Fold(
        fold,
        struck.digest(),
        plain.digest(),
        struck.accuracy(),
        disturbed.attempts(fold).size(),
        resumes);
  }

  private static IllegalStateException unfinished(int fold, String run) {
    return new IllegalStateException("fold " + fold + " did not end in the " + run + " run");
  }

  private static StallMillis stalls(List<FoldEvent.Done> ends) {
    long[] medians = ends.stream().mapToLong(FoldEvent.Done::p50Nanos).sorted().toArray();
    long p99 = ends.stream().mapToLong(FoldEvent.Done::p99Nanos).max().orElse(0);
    long max = ends.stream().mapToLong(FoldEvent.Done::maxNanos).max().orElse(0);
    long p50 = medians.length == 0 ? 0 : medians[medians.length / 2];
    return new StallMillis(p50 / 1e6, p99 / 1e6, max / 1e6);
  }

  private static List<String> problems(
      List<Fold> folds, List<Blows.Kill> blows, boolean identical) {
    List<String> problems = new ArrayList<>();
    if (!identical) {
      problems.add("a fold ended with another digest than in the undisturbed run");
    }
    for (String target : Arrays.asList("executor", "machine")) {
      if (blows.stream().noneMatch(blow -> blow.target().equals(target))) {
        problems.add("the " + target + " was not killed: the training ended before it was time");
      }
    }
    for (Level level : Arrays.asList(Level.NODE, Level.STORE)) {
      if (folds.stream()
          .flatMap(fold -> fold.resumes().stream())
          .noneMatch(resume -> resume.level() == level && resume.iteration() > 0)) {
        problems.add("no fold went on from " + level + " at an iteration above 0");
      }
    }
    return problems;
  }
}
