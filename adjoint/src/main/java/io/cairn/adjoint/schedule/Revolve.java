package io.cairn.adjoint.schedule;

import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;

/** The closed form, action by action. See {@link Schedules#revolve}. */
record Revolve(long length, int snapshots) implements Schedule {
  Revolve {
    Binomial.check(length, snapshots);
  }

  @Override
  public OptionalLong steps() {
    return OptionalLong.of(length);
  }

  @Override
  public List<Tier> tiers() {
    return List.of(Tier.free(snapshots));
  }

  @Override
  public Iterator<Action> actions() {
    return new BinomialWalk(length, snapshots);
  }
}
