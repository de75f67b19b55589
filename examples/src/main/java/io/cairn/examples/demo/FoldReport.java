package io.cairn.examples.demo;

import io.cairn.Level;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * One fold of the disturbed run, over all its attempts. Iterations in lists are indices from 0.
 *
 * @param accuracy a fraction
 * @param resumes the checkpoints that attempts resumed from, by time
 * @param iterations computed, those that were computed again included
 * @param captured captures that took place
 * @param notCaptured the other iterations, counted by reason
 * @param seals iterations that were sealed
 * @param endSealed whether the last iteration was at STORE when the fold's task first ended
 * @param attemptsAfterEnd that began after the fold's task had ended once
 * @param iterationsAfterEnd that those attempts computed
 */
record FoldReport(
    int fold,
    String digest,
    String undisturbedDigest,
    double accuracy,
    int attempts,
    List<Resume> resumes,
    long iterations,
    long captured,
    Map<String, Long> notCaptured,
    Seals seals,
    boolean endSealed,
    int attemptsAfterEnd,
    long iterationsAfterEnd) {

  /** The reason of an iteration that was neither captured nor left out: its process was killed. */
  static final String CUT_OFF = "the attempt was cut off";

  /** The checkpoint that an attempt resumed from. */
  record Resume(Level level, long iteration) {
    @Override
    public String toString() {
      return level + " at " + iteration;
    }
  }

  /** Iterations that were sealed by level, each once, rising. */
  record Seals(List<Long> node, List<Long> store) {}

  /**
   * The report of one fold.
   *
   * @throws IllegalStateException naming the run in which the fold did not end
   */
  static FoldReport of(int fold, Timeline undisturbed, Timeline disturbed) {
    FoldEvent.Done plain =
        undisturbed.done(fold).orElseThrow(() -> unfinished(fold, "undisturbed"));
    FoldEvent.Done struck = disturbed.done(fold).orElseThrow(() -> unfinished(fold, "disturbed"));
    List<Attempt> attempts = disturbed.attempts(fold);
    int ended = 1;
    while (attempts.get(ended - 1).done().isEmpty()) {
      ended++;
    }
    List<Attempt> afterEnd = attempts.subList(ended, attempts.size());
    return new FoldReport(
        fold,
        struck.digest(),
        plain.digest(),
        struck.accuracy(),
        attempts.size(),
        resumes(attempts),
        count(attempts, FoldEvent.Step.class),
        count(attempts, FoldEvent.Captured.class),
        notCaptured(attempts),
        new Seals(sealed(attempts, Level.NODE), sealed(attempts, Level.STORE)),
        sealed(attempts.subList(0, ended), Level.STORE).contains(last(attempts)),
        afterEnd.size(),
        count(afterEnd, FoldEvent.Step.class));
  }

  private static IllegalStateException unfinished(int fold, String run) {
    return new IllegalStateException("fold " + fold + " did not end in the " + run + " run");
  }

  private static List<Resume> resumes(List<Attempt> attempts) {
    return attempts.stream()
        .flatMap(attempt -> attempt.resumed().stream())
        .map(resumed -> new Resume(resumed.level(), resumed.iteration()))
        .toList();
  }

  /** The events of one kind in all attempts. */
  static long count(List<Attempt> attempts, Class<? extends FoldEvent> kind) {
    return attempts.stream().mapToLong(attempt -> attempt.events(kind).count()).sum();
  }

  private static List<Long> sealed(List<Attempt> attempts, Level level) {
    return attempts.stream()
        .flatMapToLong(attempt -> attempt.sealed(level))
        .sorted()
        .distinct()
        .boxed()
        .toList();
  }

  private static long last(List<Attempt> attempts) {
    return attempts.stream().mapToLong(Attempt::iterations).max().orElse(0) - 1;
  }

  private static Map<String, Long> notCaptured(List<Attempt> attempts) {
    Map<String, Long> reasons = new TreeMap<>();
    attempts.forEach(
        attempt -> {
          Map<Long, String> left = leftOut(attempt);
          left.values().forEach(reason -> reasons.merge(reason, 1L, Long::sum));
          long cutOff =
              count(List.of(attempt), FoldEvent.Step.class)
                  - count(List.of(attempt), FoldEvent.Captured.class)
                  - left.size();
          reasons.merge(CUT_OFF, cutOff, Long::sum);
        });
    reasons.values().removeIf(count -> count == 0);
    return reasons;
  }

  /** The reason of each iteration that left DEVICE without a capture. */
  private static Map<Long, String> leftOut(Attempt attempt) {
    List<Long> captured =
        attempt.events(FoldEvent.Captured.class).map(FoldEvent.Captured::iteration).toList();
    return attempt
        .events(FoldEvent.NotAtDevice.class)
        .filter(left -> !captured.contains(left.iteration()))
        .collect(
            Collectors.toMap(
                FoldEvent.NotAtDevice::iteration,
                FoldEvent.NotAtDevice::reason,
                (first, second) -> first));
  }
}
