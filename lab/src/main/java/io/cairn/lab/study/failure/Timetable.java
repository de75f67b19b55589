package io.cairn.lab.study.failure;

import java.util.ArrayList;
import java.util.List;

/**
 * A pattern cut into stages, as arrays for the simulator's loop. A stage is lost as a whole when a
 * failure strikes it; at its end the job has new checkpoints, or none. Levels are indexes into the
 * pattern's list here. Immutable.
 */
final class Timetable {
  /** Work in a stage, which flushes slow down. */
  final double[] workSeconds;

  /** Checkpoints in a stage, which nothing slows down. */
  final double[] checkpointSeconds;

  /** Whether failures strike the stage. */
  final boolean[] exposed;

  /** The first level that a checkpoint is taken at by the end of the stage. */
  final int[] chainFrom;

  /** One more than the last such level; {@code chainFrom} if there is none. */
  final int[] chainTo;

  /** Segments and checkpoints that the stage completes. */
  final int[] events;

  private record Stage(
      double workSeconds, double checkpointSeconds, boolean exposed, int chainFrom, int chainTo) {
    int events() {
      return (workSeconds > 0 ? 1 : 0) + chainTo - chainFrom;
    }
  }

  private Timetable(List<Stage> stages) {
    workSeconds = stages.stream().mapToDouble(Stage::workSeconds).toArray();
    checkpointSeconds = stages.stream().mapToDouble(Stage::checkpointSeconds).toArray();
    chainFrom = stages.stream().mapToInt(Stage::chainFrom).toArray();
    chainTo = stages.stream().mapToInt(Stage::chainTo).toArray();
    events = stages.stream().mapToInt(Stage::events).toArray();
    exposed = new boolean[stages.size()];
    for (int i = 0; i < exposed.length; i++) {
      exposed[i] = stages.get(i).exposed();
    }
  }

  static Timetable of(SimulatedPattern pattern, Exposure exposure) {
    List<Stage> stages = new ArrayList<>();
    for (int i = 0; i < pattern.segments().size(); i++) {
      double work = pattern.segments().get(i).workSeconds();
      int levels = pattern.chainLength(i);
      switch (exposure) {
        case COMPUTATION_ONLY -> {
          stages.add(new Stage(work, 0, true, 0, 0));
          stages.add(new Stage(0, pattern.chainSeconds(0, levels), false, 0, levels));
        }
        case ATOMIC_CHAIN_EXCEPT_RECOVERY ->
            stages.add(new Stage(work, pattern.chainSeconds(0, levels), true, 0, levels));
        case EVERYWHERE -> {
          stages.add(new Stage(work, pattern.chainSeconds(0, 1), true, 0, 1));
          for (int level = 1; level < levels; level++) {
            double seconds = pattern.chainSeconds(level, level + 1);
            stages.add(new Stage(0, seconds, true, level, level + 1));
          }
        }
      }
    }
    return new Timetable(stages);
  }

  int stages() {
    return workSeconds.length;
  }
}
