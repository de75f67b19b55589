package io.cairn.adjoint.schedule;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** States and tapes in the same units. See {@link Schedules#mixed}. */
final class Mixed implements Schedule {
  private final int steps;
  private final int units;
  private final MixedTables tables;

  Mixed(int steps, int units) {
    if (steps < 1 || steps > Schedules.MOST_TABLED_STEPS || units < 0 || (units < 1 && steps > 1)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%d steps with %d units; allowed are 1 to %d, and 1 or more",
              steps,
              units,
              Schedules.MOST_TABLED_STEPS));
    }
    this.steps = steps;
    this.units = units;
    tables = new MixedTables(steps, Math.min(units, steps));
  }

  @Override
  public OptionalLong steps() {
    return OptionalLong.of(steps);
  }

  @Override
  public List<Tier> tiers() {
    return List.of(Tier.free(units));
  }

  @Override
  public Iterator<Action> actions() {
    return new Actions();
  }

  /**
   * A kept state, or a kept tape.
   *
   * @param units that steps from here on may use, its own included
   */
  private record Kept(long step, int units, boolean tape) {}

  private final class Actions extends Walk {
    private final Deque<Kept> kept = new ArrayDeque<>();
    private int free = Math.min(units, steps);

    Actions() {
      super(steps);
    }

    @Override
    Action advance() {
      long from = work();
      int split = split(from);
      if (split == 0) {
        return tape(from);
      }
      Kept last = kept.peek();
      boolean keep = last == null || last.step() != from;
      if (keep) {
        kept.push(new Kept(from, free, false));
      }
      free--;
      long to = from + split;
      return ran(keep ? Action.Forward.keeping(from, to, 0) : Action.Forward.only(from, to));
    }

    /** As many steps as are taped one after the other. */
    private Action tape(long from) {
      long to = from;
      while (to < end() - 1 && split(to) == 0) {
        kept.push(new Kept(to, free, true));
        free--;
        to++;
      }
      return ran(Action.Forward.taping(from, to, 0));
    }

    private int split(long from) {
      return tables.split(free, Math.toIntExact(end() - from));
    }

    @Override
    Action bringBack() {
      Kept last = kept.element();
      free = last.units();
      boolean again = !last.tape() && last.step() < end() - 1 && split(last.step()) > 0;
      if (again) {
        return copied(last.step(), 0);
      }
      kept.remove();
      return moved(last.step(), 0);
    }
  }
}
