package io.cairn.lab.study.adjoint;

import io.cairn.adjoint.schedule.Binomial;
import java.util.ArrayList;
import java.util.List;

/**
 * The rule of levels of Wang, Moin and Iaccarino (2009) for programs that do not know their end: a
 * measure for Cairn's online schedule.
 */
final class LevelsRule {
  private record Snapshot(long step, int level) {}

  private LevelsRule() {}

  /** The forward steps of the rule, outside reversals. O(steps · snapshots). */
  static long advances(long steps, int snapshots) {
    List<Snapshot> kept = new ArrayList<>();
    kept.add(new Snapshot(0, Integer.MAX_VALUE));
    for (long step = 1; step < steps - 1 && snapshots > 1; step++) {
      keep(kept, step, snapshots);
    }
    long advances = steps - 1;
    for (int i = 0; i < kept.size(); i++) {
      long next = i + 1 < kept.size() ? kept.get(i + 1).step() : steps - 1;
      advances += next == kept.get(i).step() ? 0 : within(next - kept.get(i).step(), snapshots - i);
    }
    return advances;
  }

  private static long within(long steps, int snapshots) {
    return Binomial.advances(steps, snapshots);
  }

  private static void keep(List<Snapshot> kept, long step, int snapshots) {
    if (kept.size() < snapshots) {
      kept.add(new Snapshot(step, 0));
      return;
    }
    int leaving = latestDispensable(kept);
    if (leaving >= 0) {
      kept.remove(leaving);
      kept.add(new Snapshot(step, 0));
    } else {
      Snapshot last = kept.remove(kept.size() - 1);
      kept.add(new Snapshot(step, last.level() + 1));
    }
  }

  /** The last snapshot that has one of a higher level behind it, or -1. */
  private static int latestDispensable(List<Snapshot> kept) {
    int highest = -1;
    for (int i = kept.size() - 1; i > 0; i--) {
      if (kept.get(i).level() < highest) {
        return i;
      }
      highest = Math.max(highest, kept.get(i).level());
    }
    return -1;
  }
}
