package io.cairn.core.protocol;

import io.cairn.core.protocol.SimulatedStore.Faults;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Attempts at training one group, over a store and on machines that fail: originals, retries,
 * speculative twins and zombies. One thread, virtual time, everything drawn from one seed.
 */
final class CommitSimulation {
  private static final long BAD_DAYS_MILLIS = 6_000;
  private static final long LAST_LATE_MILLIS = BAD_DAYS_MILLIS + 5_000;
  private static final long END_MILLIS = LAST_LATE_MILLIS + 3_000;
  private static final int MOST_ATTEMPTS = 14;

  private final long seed;
  private final Random random;
  private final VirtualTime time = new VirtualTime();
  private final Rules rules;
  private final SimulatedStore store;
  private final Truth truth;
  private final boolean byLink;
  private final List<SimulatedProcess> processes = new ArrayList<>();

  /**
   * A simulation, not begun.
   *
   * @param strict see {@link Truth}
   */
  CommitSimulation(long seed, Rules rules, boolean strict) {
    this.seed = seed;
    // small seeds of Random begin alike
    this.random = new Random(seed * 0x9E3779B97F4A7C15L);
    this.rules = rules;
    this.byLink = random.nextBoolean();
    this.store = new SimulatedStore(time, random, badDays());
    this.truth = new Truth(store.files, rules, strict);
  }

  private Faults badDays() {
    double bad = random.nextInt(4) / 3.0;
    return new Faults(
        0.02 * bad, 0.06 * bad, 0.03 * bad, 0.06 * bad, 0.03 * bad, random.nextInt(3) * 10);
  }

  /**
   * Runs it to the end.
   *
   * @return how often what happened
   * @throws AssertionError naming the seed and the last events, if an invariant does not hold
   */
  Map<String, Integer> run() {
    try {
      startAttempt();
      chaos();
      runUntil(BAD_DAYS_MILLIS);
      store.faults(Faults.NONE);
      runUntil(LAST_LATE_MILLIS);
      requireRecovery();
    } catch (RuntimeException e) {
      String where = "seed " + seed + (byLink ? " (link and unlink): " : " (rename): ");
      throw new AssertionError(where + e.getMessage() + "\n" + time.trace(), e);
    }
    return truth.counts();
  }

  private void runUntil(long millis) {
    while (time.step(millis)) {
      truth.check();
    }
  }

  /** After all faults, with every attempt dead, one more attempt must resume and seal. */
  private void requireRecovery() {
    processes.stream().filter(SimulatedProcess::alive).forEach(p -> p.die("end of the bad days"));
    int before = truth.counts().getOrDefault("reported", 0);
    startAttempt();
    runUntil(END_MILLIS);
    if (truth.counts().getOrDefault("reported", 0) == before) {
      throw new Truth.Violation("nothing is sealed although nothing fails any more");
    }
  }

  private void startAttempt() {
    SimulatedProcess process = new SimulatedProcess("P" + (processes.size() + 1), time, store);
    processes.add(process);
    new SimulatedAttempt(process, rules, truth, random, byLink).start();
  }

  private void chaos() {
    if (time.nowMillis() >= BAD_DAYS_MILLIS) {
      return;
    }
    List<SimulatedProcess> living =
        processes.stream().filter(process -> process.alive() && !process.stopped()).toList();
    if (living.isEmpty()) {
      startIfAllowed();
    } else {
      strike(living.get(random.nextInt(living.size())));
    }
    time.after(30 + random.nextLong(500), this::chaos);
  }

  private void strike(SimulatedProcess victim) {
    int blow = random.nextInt(100);
    if (blow < 15) {
      victim.die("killed");
    } else if (blow < 35) {
      victim.stopFor(20 + random.nextLong(random.nextBoolean() ? 300 : 4_000));
    } else if (blow < 40) {
      store.crash(50 + random.nextLong(300));
    } else if (blow < 50) {
      startIfAllowed();
    }
  }

  private void startIfAllowed() {
    if (processes.size() < MOST_ATTEMPTS) {
      startAttempt();
    }
  }
}
