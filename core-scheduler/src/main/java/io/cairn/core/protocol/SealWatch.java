package io.cairn.core.protocol;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/**
 * Watches the oldest iteration of an epoch that some ranks hold at DEVICE and others have not
 * reported: the group waits for these. Reports the wait, and again after twice the time. Not
 * thread-safe.
 */
final class SealWatch {
  /** A wait that lasts less is not reported. */
  static final long PATIENCE_NANOS = Duration.ofMinutes(1).toNanos();

  private final GroupId group;
  private final long epoch;
  private long iteration = -1;
  private long sinceNanos;
  private long patienceNanos = PATIENCE_NANOS;

  SealWatch(GroupId group, long epoch) {
    this.group = group;
    this.epoch = epoch;
  }

  /** Looks at the seals; reports a wait, and asks to look again while there is one. */
  void look(EpochSeals seals, long nowNanos, ActionList actions) {
    Optional<EpochSeals.Open> open = seals.oldestOpenAtDevice();
    if (open.isEmpty()) {
      iteration = -1;
      return;
    }
    if (open.get().iteration() != iteration) {
      iteration = open.get().iteration();
      sinceNanos = nowNanos;
      patienceNanos = PATIENCE_NANOS;
    } else if (nowNanos - sinceNanos >= patienceNanos) {
      patienceNanos = 2 * (nowNanos - sinceNanos);
      actions.add(new CoordinatorAction.ReportTrouble(line(open.get(), nowNanos)));
    }
    actions.add(
        new CoordinatorAction.LookAgain(
            Math.max(PATIENCE_NANOS, patienceNanos - (nowNanos - sinceNanos))));
  }

  private String line(EpochSeals.Open open, long nowNanos) {
    return String.format(
        Locale.ROOT,
        "%s has waited for %s for %d s; see whether it still trains, and its log",
        new CheckpointId(group, epoch, open.iteration()).label(),
        RankSpans.of(open.missing()),
        Duration.ofNanos(nowNanos - sinceNanos).toSeconds());
  }
}
