package io.cairn.core.sharing;

import io.cairn.core.sharing.SharingTruth.Violation;
import io.cairn.core.sharing.SharingWorld.Mutation;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Holders that lend to each other's ranks while they are killed, stopped and replaced, the desk is
 * lost, and trainers want their memory back. One thread, virtual time, all drawn from one seed.
 */
final class SharingSimulation {
  private static final long BAD_DAYS_MILLIS = 4_000;
  private static final long LAST_LATE_MILLIS = BAD_DAYS_MILLIS + 2_500;
  private static final long TRAINED_MILLIS = LAST_LATE_MILLIS + 1_000;
  private static final long END_MILLIS = TRAINED_MILLIS + 3_000;
  private static final int MOST_HOLDERS = 25;

  private final long seed;
  private final Random random;
  private final SharingWorld world;

  SharingSimulation(long seed, Set<Mutation> broken) {
    this.seed = seed;
    // small seeds of Random begin alike
    this.random = new Random(seed * 0x9E3779B97F4A7C15L);
    this.world = new SharingWorld(random, broken);
  }

  /**
   * Runs it to the end.
   *
   * @return how often what happened
   * @throws AssertionError naming the seed and the last events, if an invariant does not hold
   */
  Map<String, Integer> run() {
    try {
      for (int i = 3 + random.nextInt(2); i > 0; i--) {
        world.startHolder();
      }
      world.groups().startAll();
      world.time.after(300, this::chaos);
      runUntil(BAD_DAYS_MILLIS);
      world.endFaults();
      runUntil(LAST_LATE_MILLIS);
      requireProgress();
      requireNoLeak();
    } catch (RuntimeException e) {
      throw new AssertionError(
          "seed " + seed + ": " + e.getMessage() + "\n" + world.time.trace(), e);
    }
    return world.truth.counts();
  }

  private void runUntil(long millis) {
    while (world.time.step(millis)) {
      // the truth is checked where something happens to a book or to memory
    }
  }

  private void requireProgress() {
    int before = acknowledged();
    runUntil(TRAINED_MILLIS);
    if (acknowledged() == before) {
      throw new Violation("nothing is acknowledged, although nothing fails any more");
    }
  }

  private int acknowledged() {
    return world.truth.counts().getOrDefault("Acknowledged", 0);
  }

  /** Some die for good, the others end in order: then nothing may be left anywhere. */
  private void requireNoLeak() {
    List<SimulatedHolder> running = world.running();
    for (SimulatedHolder holder : running) {
      if (running.indexOf(holder) < running.size() / 2) {
        world.killForGood(holder);
      } else {
        holder.ranks().forEach(SimulatedBorrower::end);
      }
    }
    runUntil(END_MILLIS);
    for (SimulatedHolder holder : world.running()) {
      world.truth.require(holder.lender.isEmpty(), holder.lender, "is left with something");
    }
  }

  private void chaos() {
    if (world.time.nowMillis() >= BAD_DAYS_MILLIS || world.holders().size() >= MOST_HOLDERS) {
      return;
    }
    List<SimulatedHolder> running = world.running();
    int blow = random.nextInt(100);
    if (running.size() > 2 && blow < 25) {
      world.kill(running.get(random.nextInt(running.size())));
    } else if (running.size() > 1 && blow < 60) {
      world.stop(running.get(random.nextInt(running.size())));
    } else if (blow < 75) {
      world.groups().rollBack();
    } else if (blow < 85) {
      world.replaceDesk();
    }
    world.time.after(50 + random.nextInt(500), this::chaos);
  }
}
