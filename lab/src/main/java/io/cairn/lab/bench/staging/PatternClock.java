package io.cairn.lab.bench.staging;

import io.cairn.CheckpointTicket;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.lab.measure.Middle;
import io.cairn.lab.study.pattern.TwoLevelClosedForm;
import io.cairn.lab.study.pattern.TwoLevelPlatform;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The durations of some patterns of one training. Not thread-safe. */
final class PatternClock {
  /**
   * The parameters of the model.
   *
   * @param workSeconds t, of an iteration
   * @param stallSeconds c1, of a capture
   * @param flushSeconds lat, from the capture to the seal at STORE
   * @param slowDown alpha, the part by which an iteration takes longer meanwhile
   */
  record Parameters(
      double workSeconds, double stallSeconds, double flushSeconds, double slowDown) {}

  /**
   * The costs of a pattern.
   *
   * @param patternSeconds all of it
   * @param stallSeconds for which the training stood still
   * @param slowDownSeconds by which the iterations took longer
   * @param sealSeconds until the checkpoint was sealed at STORE
   */
  record Costs(
      double patternSeconds, double stallSeconds, double slowDownSeconds, double sealSeconds) {}

  private static final double NANOS = 1e9;

  /** So rare that no prediction notices them. */
  private static final double NO_FAILURES = 1e-9;

  private final List<Double> quietWork = new ArrayList<>();
  private final List<Double> slowedWork = new ArrayList<>();
  private final List<Double> stalls = new ArrayList<>();
  private final List<CompletableFuture<Double>> seals = new ArrayList<>();
  private final List<CompletableFuture<?>> underWay = new ArrayList<>();
  private double seconds;
  private double stalled;
  private double worked;
  private int iterations;

  /** Whether a checkpoint is on its way to STORE. */
  boolean isBusy() {
    underWay.removeIf(CompletableFuture::isDone);
    return !underWay.isEmpty();
  }

  /** An iteration's work was done, with or without a checkpoint on its way when it began. */
  void worked(long nanos, boolean busy) {
    (busy ? slowedWork : quietWork).add(nanos / NANOS);
    worked += nanos / NANOS;
    seconds += nanos / NANOS;
    iterations++;
  }

  /** The training stood still for a capture, which goes to STORE if it is due there. */
  void captured(long nanos, CheckpointTicket ticket) {
    stalls.add(nanos / NANOS);
    stalled += nanos / NANOS;
    seconds += nanos / NANOS;
    long captured = System.nanoTime();
    CompletableFuture<Outcome> atStore = ticket.sealed(Level.STORE).toCompletableFuture();
    boolean isDue = !(atStore.isDone() && atStore.join() instanceof Outcome.NotDue);
    if (isDue) {
      underWay.add(atStore);
      seals.add(
          atStore.thenApply(
              outcome ->
                  outcome instanceof Outcome.Sealed
                      ? (System.nanoTime() - captured) / NANOS
                      : Double.NaN));
    }
  }

  private List<Double> sealed() {
    return seals.stream().map(CompletableFuture::join).filter(each -> !each.isNaN()).toList();
  }

  /** The checkpoints that reached STORE; waits for those on their way. */
  int sealedCount() {
    return sealed().size();
  }

  /**
   * The parameters of the model.
   *
   * @param workSeconds of an iteration while nothing is on its way
   */
  Parameters parameters(double workSeconds) {
    List<Double> sealed = sealed();
    double slowed = slowedWork.isEmpty() ? workSeconds : mean(slowedWork);
    return new Parameters(
        workSeconds,
        mean(stalls),
        sealed.isEmpty() ? 0 : mean(sealed),
        Math.max(0, slowed / workSeconds - 1));
  }

  /** The mean work of an iteration while nothing is on its way, in seconds. */
  double quietSeconds() {
    return mean(quietWork);
  }

  /** The measured costs of a pattern of so many iterations, with this work in each. */
  Costs costs(int patternIterations, double workSeconds) {
    double patterns = (double) iterations / patternIterations;
    List<Double> sealed = sealed();
    return new Costs(
        seconds / patterns,
        stalled / patterns,
        (worked - iterations * workSeconds) / patterns,
        sealed.isEmpty() ? 0 : Middle.of(sealed));
  }

  /** The costs of a pattern without failures, by the model of non-blocking checkpoints. */
  static Costs predicted(Parameters known, int patternIterations) {
    double stall = patternIterations * known.stallSeconds();
    double plain = patternIterations * known.workSeconds() + stall;
    if (known.flushSeconds() == 0) {
      return new Costs(plain, stall, 0, 0);
    }
    TwoLevelPlatform platform =
        new TwoLevelPlatform(
            NO_FAILURES,
            NO_FAILURES,
            known.stallSeconds(),
            0,
            known.flushSeconds(),
            known.flushSeconds(),
            0,
            known.slowDown(),
            true,
            true);
    int needed = platform.flushSegments(known.workSeconds());
    double all =
        new TwoLevelClosedForm(platform)
            .nonBlocking(
                patternIterations, known.workSeconds(), Math.min(needed, patternIterations));
    return new Costs(all, stall, all - plain, known.flushSeconds());
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).average().orElse(Double.NaN);
  }
}
