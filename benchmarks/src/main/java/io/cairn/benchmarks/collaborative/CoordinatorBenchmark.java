package io.cairn.benchmarks.collaborative;

import io.cairn.benchmarks.Samples;
import io.cairn.benchmarks.collaborative.CoordinatorFindings.Quantiles;
import io.cairn.core.flow.ParametricFlowScheduler;
import io.cairn.core.sharing.DeskTerms;
import io.cairn.spark.peer.PeerLimits;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A coordinator alone: its desk is carried by this process, ranks report from others, each by a
 * question of its own over a socket, and nothing is copied.
 */
final class CoordinatorBenchmark {
  /** Far more questions wait at a desk for one group than peers otherwise have for each other. */
  static final PeerLimits LIMITS =
      new PeerLimits(
          PeerLimits.DEFAULT.connect(),
          PeerLimits.DEFAULT.answer(),
          PeerLimits.DEFAULT.push(),
          PeerLimits.DEFAULT.windowBytes(),
          20_000,
          PeerLimits.DEFAULT.maxConnections(),
          20_000,
          PeerLimits.DEFAULT.threads());

  /** A group of several is planned when it is complete; the window is for the failed. */
  private static final DeskTerms TERMS = new DeskTerms(TimeUnit.SECONDS.toNanos(60), 16, 20_000);

  private static final long PATIENCE_SECONDS = 60;

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
        Children children = Children.start(all, plan.processes(), desk.port())) {
      children.register();
      for (int iteration = 0; iteration < plan.warmUps() + plan.checkpoints(); iteration++) {
        long nanos = checkpoint(desk, children, iteration);
        if (iteration >= plan.warmUps()) {
          plans.add(nanos);
        }
        advance.run();
      }
      memory.measure(desk, children, plan.warmUps() + plan.checkpoints());
      advance.run();
    }
    Ranks few = new Ranks(plan.processes(), seed);
    try (TimedDesk desk = desk(few);
        Children children = Children.start(few, plan.processes(), desk.port())) {
      children.register();
      children.rounds(0, plan.warmUpRounds());
      children.rounds(plan.warmUpRounds(), plan.rounds()).forEach(roundTrips::add);
      advance.run();
    }
    return new CoordinatorFindings(
        plan.ranks(),
        quantiles(plans),
        plan.processes(),
        quantiles(roundTrips),
        memory.waitingBytes / plan.ranks(),
        memory.keptBytes / plan.ranks());
  }

  private static Quantiles quantiles(Samples samples) {
    return new Quantiles(
        samples.quantileMillis(0.5), samples.quantileMillis(0.99), samples.quantileMillis(1));
  }

  private static TimedDesk desk(Ranks ranks) throws IOException {
    return new TimedDesk(TERMS, ranks::linking, new ParametricFlowScheduler(true, false), LIMITS);
  }

  private long checkpoint(TimedDesk desk, Children children, long iteration)
      throws IOException, InterruptedException {
    desk.begin();
    children.report(iteration, 0);
    long nanos = desk.awaitAnswers(plan.ranks());
    children.awaitAnswers();
    return nanos;
  }

  /** What the desk's process keeps in its heap while all but one wait, and afterwards. */
  private final class Memory {
    private double waitingBytes;
    private double keptBytes;

    void measure(TimedDesk desk, Children children, long iteration)
        throws IOException, InterruptedException {
      double before = usedBytes();
      desk.begin();
      children.report(iteration, 1);
      desk.awaitArrivals(plan.ranks() - 1);
      waitingBytes = usedBytes() - before;
      children.report(iteration, 0);
      desk.awaitAnswers(plan.ranks());
      children.awaitAnswers();
      keptBytes = usedBytes() - before;
    }

    @SuppressWarnings("system-gc")
    private static double usedBytes() {
      System.gc();
      return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
  }

  /** The processes that report, in the order of their ranks. */
  private static final class Children implements AutoCloseable {
    private final List<Child> all = new ArrayList<>();

    static Children start(Ranks ranks, int processes, int port) throws IOException {
      Children children = new Children();
      try {
        for (int i = 0; i < processes; i++) {
          int first = i * ranks.size() / processes;
          int next = (i + 1) * ranks.size() / processes;
          children.all.add(RankProcess.start(ranks, port, first, next - first));
        }
        return children;
      } catch (IOException e) {
        children.close();
        throw e;
      }
    }

    /** One process after the other, so that the desk knows holders in the order of ranks. */
    void register() throws IOException {
      for (Child child : all) {
        child.say("register");
        child.await(PATIENCE_SECONDS);
      }
    }

    /** All ranks that have not reported yet do, at once, but the {@code without} last. */
    void report(long iteration, int without) throws IOException {
      int left = without;
      for (int i = all.size() - 1; i >= 0; i--) {
        all.get(i).say("report", iteration, left);
        left = 0;
      }
      for (Child child : all) {
        child.await(PATIENCE_SECONDS);
      }
    }

    void awaitAnswers() throws IOException {
      for (Child child : all) {
        child.say("await");
      }
      for (Child child : all) {
        child.await(PATIENCE_SECONDS);
      }
    }

    /** Nanoseconds of every round trip of every process. */
    List<Long> rounds(long firstIteration, int rounds) throws IOException {
      for (Child child : all) {
        child.say("rounds", firstIteration, rounds);
      }
      List<Long> nanos = new ArrayList<>();
      for (Child child : all) {
        for (String one : child.await(PATIENCE_SECONDS).split(" ", -1)) {
          nanos.add(Long.parseLong(one));
        }
      }
      return nanos;
    }

    @Override
    public void close() throws IOException {
      for (Child child : all) {
        child.close();
      }
    }
  }
}
