package io.cairn.adjoint.schedule;

import java.util.ArrayList;
import java.util.List;

/** Places each snapshot by the closed form. An act takes O(repetition) time. */
class BinomialWalk extends Walk {
  private final int snapshots;

  /** The snapshots, the last one first to leave. */
  final List<Long> kept = new ArrayList<>();

  BinomialWalk(long steps, int snapshots) {
    super(steps);
    this.snapshots = snapshots;
  }

  /** Where the last snapshot lies. */
  int tier() {
    return 0;
  }

  @Override
  Action advance() {
    long from = work();
    boolean keep = kept.isEmpty() || kept.get(kept.size() - 1) != from;
    if (keep) {
      kept.add(from);
    }
    long to = from + Binomial.firstPlace(end() - from, snapshots - kept.size() + 1);
    return ran(keep ? Action.Forward.keeping(from, to, tier()) : Action.Forward.only(from, to));
  }

  @Override
  Action bringBack() {
    long last = kept.get(kept.size() - 1);
    int tier = tier();
    if (last < end() - 1) {
      return copied(last, tier);
    }
    kept.remove(kept.size() - 1);
    return moved(last, tier);
  }
}
