package io.cairn.lab.bench.collaborative;

import io.cairn.core.flow.ParametricFlowScheduler;
import io.cairn.core.peer.PeerLimits;
import io.cairn.core.sharing.DeskTerms;
import io.cairn.engine.net.PeerSecret;
import io.cairn.lab.measure.Samples;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;

/**
 * A coordinator alone: its desk is carried by this process, ranks report from others, each by a
 * question of its own over a socket, and nothing is copied. The processes of the large group stand
 * for other machines, so they leave the processors to the desk whenever it wants them.
 */
final class CoordinatorBenchmark {
  /** Of all processes of a bench; nothing is sealed. */
  static final PeerSecret SECRET = PeerSecret.derived("bench", false, "the secret of a bench");

  /** Far more questions wait at a desk for one group than peers otherwise have for each other. */
  static final PeerLimits LIMITS =
      new PeerLimits(
          PeerLimits.DEFAULT.connect(),
          PeerLimits.DEFAULT.answer(),
          PeerLimits.DEFAULT.push(),
          PeerLimits.DEFAULT.windowBytes(),
          20_000,
          PeerLimits.DEFAULT.maxConnections(),
          20_000);

  /** A group of several is planned when it is complete; the window is for the failed. */
  private static final DeskTerms TERMS = new DeskTerms(TimeUnit.SECONDS.toNanos(60), 16, 20_000);

  private final CoordinatorPlan plan;
  private final long seed;
  private final Runnable advance;

  /**
   * A measurement.
   *
   * @param advance called after each of {@link #steps}
   */
  CoordinatorBenchmark(CoordinatorPlan plan, long seed, Runnable advance) {
    this.plan = plan;
    this.seed = seed;
    this.advance = advance;
  }

  /** How often {@code advance} is called. */
  static int steps(CoordinatorPlan plan) {
    return plan.warmUps() + plan.checkpoints() + 2;
  }

  CoordinatorFindings run() throws IOException, InterruptedException {
    Samples plans = new Samples();
    Samples roundTrips = new Samples();
    Memory memory = new Memory();
    Ranks all = new Ranks(plan.ranks(), seed);
    try (TimedDesk desk = desk(all);
        RankProcesses processes =
            RankProcesses.start(all, plan.processes(), desk.port(), plan.elsewhere())) {
      processes.register();
      for (int iteration = 0; iteration < plan.warmUps() + plan.checkpoints(); iteration++) {
        long nanos = checkpoint(desk, processes, iteration);
        if (iteration >= plan.warmUps()) {
          plans.add(nanos);
        }
        advance.run();
      }
      memory.measure(desk, processes, plan.warmUps() + plan.checkpoints());
      advance.run();
    }
    Ranks few = new Ranks(plan.processes(), seed);
    try (TimedDesk desk = desk(few);
        RankProcesses processes = RankProcesses.start(few, plan.processes(), desk.port(), false)) {
      processes.register();
      processes.rounds(0, plan.warmUpRounds());
      processes.rounds(plan.warmUpRounds(), plan.rounds()).forEach(roundTrips::add);
      advance.run();
    }
    return new CoordinatorFindings(
        plan.ranks(),
        plans.millis(),
        plan.processes(),
        roundTrips.millis(),
        memory.waitingBytes / plan.ranks(),
        memory.keptBytes / plan.ranks());
  }

  private static TimedDesk desk(Ranks ranks) throws IOException {
    return new TimedDesk(TERMS, ranks::linking, new ParametricFlowScheduler(true, false), LIMITS);
  }

  private long checkpoint(TimedDesk desk, RankProcesses processes, long iteration)
      throws IOException, InterruptedException {
    desk.begin();
    processes.report(iteration, 0);
    long nanos = desk.awaitAnswers(plan.ranks());
    processes.awaitAnswers();
    return nanos;
  }

  /** The heap that the desk's process keeps while all but one wait, and afterwards. */
  private final class Memory {
    private double waitingBytes;
    private double keptBytes;

    void measure(TimedDesk desk, RankProcesses processes, long iteration)
        throws IOException, InterruptedException {
      double before = usedBytes();
      desk.begin();
      processes.report(iteration, 1);
      desk.awaitArrivals(plan.ranks() - 1);
      waitingBytes = usedBytes() - before;
      processes.report(iteration, 0);
      desk.awaitAnswers(plan.ranks());
      processes.awaitAnswers();
      keptBytes = usedBytes() - before;
    }

    @SuppressWarnings("system-gc")
    private static double usedBytes() {
      System.gc();
      return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
  }
}
