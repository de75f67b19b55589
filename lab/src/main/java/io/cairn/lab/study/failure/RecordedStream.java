package io.cairn.lab.study.failure;

import java.util.SplittableRandom;

/** Replays a record. */
final class RecordedStream extends FailureStream {
  private final double[] seconds;
  private final int[] levels;
  private int next;

  RecordedStream(RecordedFailures source) {
    seconds = source.failures().stream().mapToDouble(RecordedFailures.Failure::seconds).toArray();
    levels = source.failures().stream().mapToInt(RecordedFailures.Failure::level).toArray();
  }

  @Override
  void startRun(SplittableRandom random) {
    next = -1;
    advance();
  }

  @Override
  void advance() {
    next++;
    boolean over = next >= seconds.length;
    nextSeconds = over ? Double.POSITIVE_INFINITY : seconds[next];
    nextLevel = over ? 1 : levels[next];
  }
}
