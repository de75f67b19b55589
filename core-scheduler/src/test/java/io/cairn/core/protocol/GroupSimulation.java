package io.cairn.core.protocol;

import io.cairn.core.protocol.SimulatedGroup.Mutation;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * A coupled group of two or three ranks under a coordinator, with ranks that die, are stopped and
 * are replaced at any moment. One thread, virtual time, everything drawn from one seed.
 */
final class GroupSimulation {
  private static final long BAD_DAYS_MILLIS = 8_000;
  private static final long LAST_LATE_MILLIS = BAD_DAYS_MILLIS + 4_000;
  private static final long END_MILLIS = LAST_LATE_MILLIS + 4_000;
  private static final int MOST_ATTEMPTS = 60;

  private final long seed;
  private final Random random;
  private final VirtualTime time = new VirtualTime();
  private final SimulatedGroup group;

  GroupSimulation(long seed, Set<Mutation> broken) {
    this.seed = seed;
    // small seeds of Random begin alike
    this.random = new Random(seed * 0x9E3779B97F4A7C15L);
    this.group = new SimulatedGroup(2 + random.nextInt(2), time, random, broken);
  }

  /**
   * Runs it to the end.
   *
   * @return how often what happened
   * @throws AssertionError naming the seed and the last events, if an invariant does not hold
   */
  Map<String, Integer> run() {
    try {
      for (int rank = 0; rank < group.size; rank++) {
        int starting = rank;
        time.after(random.nextLong(300), () -> group.startAttempt(starting));
      }
      time.after(300, this::chaos);
      time.after(300, this::supervise);
      runUntil(BAD_DAYS_MILLIS);
      group.endFaults();
      runUntil(LAST_LATE_MILLIS);
      requireRecovery();
    } catch (RuntimeException e) {
      throw new AssertionError("seed " + seed + ": " + e.getMessage() + "\n" + time.trace(), e);
    }
    return group.truth.counts();
  }

  private void runUntil(long millis) {
    while (time.step(millis)) {
      // the truth is checked where the coordinator acts
    }
  }

  private void requireRecovery() {
    int before = sealed();
    runUntil(END_MILLIS);
    for (int rank = 0; rank < group.size; rank++) {
      if (group.latest(rank).filter(SimulatedRank::training).isEmpty()) {
        throw new Truth.Violation("rank " + rank + " never resumes, although nothing fails");
      }
    }
    if (sealed() == before) {
      throw new Truth.Violation("nothing is sealed, although nothing fails any more");
    }
  }

  private int sealed() {
    return group.truth.counts().getOrDefault("sealed at STORE", 0);
  }

  /** Replaces a rank whose latest attempt has ended. */
  private void supervise() {
    for (int rank = 0; rank < group.size; rank++) {
      if (group.latest(rank).filter(SimulatedRank::alive).isEmpty()) {
        group.startAttempt(rank);
      }
    }
    time.after(50 + random.nextLong(200), this::supervise);
  }

  private void chaos() {
    if (time.nowMillis() >= BAD_DAYS_MILLIS || group.attempts().size() >= MOST_ATTEMPTS) {
      return;
    }
    List<SimulatedRank> running =
        group.attempts().stream().filter(a -> a.alive() && !a.stopped()).toList();
    if (!running.isEmpty()) {
      strike(running.get(random.nextInt(running.size())));
    }
    time.after(100 + random.nextLong(1_500), this::chaos);
  }

  private void strike(SimulatedRank victim) {
    int blow = random.nextInt(100);
    if (blow < 35) {
      victim.die("killed");
    } else if (blow < 60) {
      victim.stopFor(50 + random.nextLong(2_000));
      if (random.nextBoolean()) {
        group.startAttempt(victim.rank);
      }
    } else if (blow < 70) {
      group.startAttempt(victim.rank);
    } else if (blow < 75) {
      group.supersede();
    }
  }
}
