package io.cairn.core.failure;

/**
 * How long flushes last under {@link FlushProgress#BY_SEGMENTS}, in stages. O(stages · segments) at
 * worst, where a flush spans all segments. Immutable.
 */
final class FlushSpans {
  private final int[][] spans;

  /** Cuts flushes into stages where work is stretched by a factor. */
  FlushSpans(SimulatedPattern pattern, Timetable timetable, double stretch) {
    int segments = pattern.segments().size();
    double[] seconds = new double[segments];
    int[] chain = new int[segments];
    int[] firstStage = new int[segments];
    for (int i = 0; i < segments; i++) {
      chain[i] = pattern.chainLength(i);
      double checkpoints = pattern.chainSeconds(0, chain[i]);
      seconds[i] = stretch * pattern.segments().get(i).workSeconds() + checkpoints;
    }
    for (int stage = timetable.stages() - 1; stage >= 0; stage--) {
      firstStage[timetable.segment[stage]] = stage;
    }
    spans = new int[timetable.stages()][pattern.levels().size()];
    for (int stage = 0; stage < spans.length; stage++) {
      for (int level = timetable.chainFrom[stage]; level < timetable.chainTo[stage]; level++) {
        double flushSeconds = pattern.levels().get(level).flushSeconds();
        int segment = timetable.segment[stage];
        int last = firstStage[lastSegment(segment, level, flushSeconds, seconds, chain)];
        spans[stage][level] = last > stage ? last - stage : last - stage + spans.length;
      }
    }
  }

  /** The stages from the end of one to the end of the one that a flush begun there ends with. */
  int stages(int stage, int level) {
    return spans[stage][level];
  }

  private static int lastSegment(
      int start, int level, double flushSeconds, double[] seconds, int[] chain) {
    double covered = 0;
    int segment = start;
    do {
      segment = (segment + 1) % chain.length;
      covered += seconds[segment];
    } while (covered < flushSeconds && chain[segment] <= level);
    return segment;
  }
}
