package io.cairn.adjoint.schedule;

import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;

/** Every n-th state, then one segment after the other. See {@link Schedules#everyNth}. */
record EveryNth(long length, long n) implements Schedule {
  EveryNth {
    Binomial.check(length, 1);
    if (n < 1) {
      throw new IllegalArgumentException("segments must have at least 1 step, not " + n);
    }
  }

  @Override
  public OptionalLong steps() {
    return OptionalLong.of(length);
  }

  @Override
  public List<Tier> tiers() {
    return List.of(Tier.free(Tier.UNLIMITED));
  }

  @Override
  public Iterator<Action> actions() {
    return new Actions();
  }

  private final class Actions extends Walk {
    /** Where the segment begins that is reversed now. */
    private long segment = (length - 1) / n * n;

    Actions() {
      super(length);
    }

    @Override
    Action advance() {
      long from = work();
      if (from < segment) {
        return ran(Action.Forward.keeping(from, from + n, 0));
      }
      return ran(Action.Forward.taping(from, end() - 1, 0));
    }

    /** The tape of the next step, or the start of the segment before. */
    @Override
    Action bringBack() {
      if (end() > segment) {
        return moved(end() - 1, 0);
      }
      segment -= n;
      return moved(segment, 0);
    }
  }
}
