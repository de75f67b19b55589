package io.cairn.lab.study.failure;

import java.util.List;
import java.util.SplittableRandom;

/**
 * The failures of one run after another, drawn from a source: the next one stands in two fields.
 * Allocates nothing per failure. Not thread-safe.
 */
abstract class FailureStream {
  /** When the next failure happens, since the start of the run; infinite if none does. */
  double nextSeconds;

  /** The level of the next failure, from 1. */
  int nextLevel;

  /** Forgets everything and stands at the first failure of a run. */
  abstract void startRun(SplittableRandom random);

  /** Goes to the failure after the next one. */
  abstract void advance();

  /** A stream that draws from a source. */
  static FailureStream of(FailureSource source) {
    if (source instanceof ExponentialFailures exponential) {
      return exponential.totalPerSecond() == 0
          ? new RecordedStream(new RecordedFailures(List.of()))
          : new ExponentialStream(exponential);
    } else if (source instanceof WeibullFailures weibull) {
      return new WeibullStream(weibull);
    } else {
      return new RecordedStream((RecordedFailures) source);
    }
  }
}
