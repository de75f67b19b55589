package io.cairn.adjoint.schedule;

import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** Starts of segments on a disk, snapshots in memory. See {@link Schedules#periodic}. */
record Periodic(long length, long period, int snapshots) implements Schedule {
  private static final int MEMORY = 0;
  private static final int DISK = 1;

  Periodic {
    Binomial.check(length, 1);
    if (period < 1 || snapshots < 0) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a period of %d steps with %d snapshots; allowed are 1 or more, and 0 or more",
              period,
              snapshots));
    }
  }

  @Override
  public OptionalLong steps() {
    return OptionalLong.of(length);
  }

  @Override
  public List<Tier> tiers() {
    return List.of(Tier.free(snapshots), new Tier("disk", Tier.UNLIMITED, 0, 0));
  }

  @Override
  public Iterator<Action> actions() {
    return new Actions();
  }

  /** The first snapshot of a segment is its start, on the disk. */
  private final class Actions extends BinomialWalk {
    private long segment = (length - 1) / period * period;

    Actions() {
      super(length, snapshots + 1);
    }

    @Override
    int tier() {
      return kept.size() == 1 ? DISK : MEMORY;
    }

    @Override
    Action advance() {
      long from = work();
      return from < segment
          ? ran(Action.Forward.keeping(from, from + period, DISK))
          : super.advance();
    }

    @Override
    Action bringBack() {
      if (kept.isEmpty()) {
        segment -= period;
        kept.add(segment);
      }
      return super.bringBack();
    }
  }
}
