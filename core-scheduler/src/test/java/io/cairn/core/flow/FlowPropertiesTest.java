package io.cairn.core.flow;

import static io.cairn.core.flow.OracleTest.proven;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Properties of every problem; the name of a failing test has its seed. */
class FlowPropertiesTest {
  private static final double CLOSE = 1e-9;

  static IntStream seeds() {
    return IntStream.range(0, 400);
  }

  private static FlowProblem problem(int seed) {
    Random random = new Random(seed);
    return switch (seed % 5) {
      case 0 -> Problems.uniform(random);
      case 1 -> Problems.plain(random);
      case 2 -> Problems.wild(random);
      default -> Problems.shared(random);
    };
  }

  private static FlowOutcome exact(FlowProblem problem) {
    return new ParametricFlowScheduler().schedule(problem);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void plansHoldAndAreProven(int seed) {
    FlowProblem problem = problem(seed);
    for (boolean chunks : new boolean[] {false, true}) {
      for (boolean refined : new boolean[] {false, true}) {
        FlowOutcome outcome = new ParametricFlowScheduler(chunks, refined).schedule(problem);
        if (outcome instanceof Infeasible none) {
          CutCertificate proof = none.certificate().orElseThrow();
          assertThat(proof.lowerBoundSeconds()).isInfinite();
          assertThat(PlanCheck.objections(problem, proof)).as("chunks %s", chunks).isEmpty();
        } else {
          proven(problem, outcome);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aLinearProgramAgrees(int seed) {
    FlowProblem problem = seed % 5 == 2 ? Problems.shared(new Random(seed)) : problem(seed);
    OptionalDouble expected = LinearProgram.solve(problem);
    FlowOutcome outcome = exact(problem);
    assertThat(outcome instanceof TransferPlan).isEqualTo(expected.isPresent());
    if (outcome instanceof TransferPlan plan) {
      double seconds = expected.orElseThrow();
      assertThat(plan.blockingSeconds()).isCloseTo(seconds, within(1e-6 * seconds));
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void noHeuristicIsFaster(int seed) {
    FlowProblem problem = problem(seed);
    double exact = seconds(exact(problem));
    double chunked = seconds(new ParametricFlowScheduler(true, false).schedule(problem));
    double greedy = seconds(new GreedyScheduler(false).schedule(problem));
    assertThat(exact).isLessThanOrEqualTo(chunked * (1 + CLOSE));
    assertThat(exact).isLessThanOrEqualTo(greedy * (1 + CLOSE));
    assertThat(exact)
        .isLessThanOrEqualTo(
            seconds(new LocalOnlyScheduler(false).schedule(problem)) * (1 + CLOSE));
    double greedyChunks = seconds(new GreedyScheduler(true).schedule(problem));
    assertThat(chunked).isLessThanOrEqualTo(greedyChunks * (1 + CLOSE));
    assertThat(chunked)
        .isLessThanOrEqualTo(seconds(new LocalOnlyScheduler(true).schedule(problem)) * (1 + CLOSE));
    if (wholeChunks(problem)) {
      assertThat(greedyChunks).isEqualTo(greedy);
      assertThat(chunked).isLessThanOrEqualTo(greedy * (1 + CLOSE));
    }
    if (!problem.topology().hasSharedCapacities()) {
      double published = seconds(new MinTimeMaxFlowScheduler().schedule(problem));
      assertThat(published == chunked || Math.abs(published - chunked) <= CLOSE * chunked).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void timesScaleWithSizes(int seed) {
    FlowProblem problem = problem(seed);
    long[] remainder = new long[problem.devices()];
    long[] spare = new long[problem.devices()];
    for (int device = 0; device < problem.devices(); device++) {
      remainder[device] = 7 * problem.remainderBytes(device);
      spare[device] = 7 * problem.spareBytes(device);
    }
    FlowProblem larger =
        new FlowProblem(problem.topology(), remainder, spare, 7 * problem.chunkBytes());
    for (boolean chunks : new boolean[] {false, true}) {
      ParametricFlowScheduler scheduler = new ParametricFlowScheduler(chunks, false);
      double seconds = seconds(scheduler.schedule(problem));
      double scaled = seconds(scheduler.schedule(larger));
      assertThat(scaled == 7 * seconds || Math.abs(scaled - 7 * seconds) <= CLOSE * scaled)
          .isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void permutingDevicesPermutesTheTimes(int seed) {
    FlowProblem problem =
        seed % 2 == 0 ? Problems.uniform(new Random(seed)) : Problems.plain(new Random(seed));
    int[] order = shuffled(problem.devices(), new Random(seed));
    FlowProblem permuted = permuted(problem, order);
    FlowOutcome one = new ParametricFlowScheduler(false, true).schedule(problem);
    FlowOutcome other = new ParametricFlowScheduler(false, true).schedule(permuted);
    assertThat(seconds(exact(permuted))).isCloseTo(seconds(exact(problem)), within(nextTo(one)));
    if (one instanceof TransferPlan plan && other instanceof TransferPlan twin) {
      double[] times = sorted(plan, problem.devices());
      double[] twins = sorted(twin, problem.devices());
      for (int k = 0; k < times.length; k++) {
        assertThat(twins[k]).isCloseTo(times[k], within(1e-7 * plan.blockingSeconds()));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void heuristicsInWholeChunksHold(int seed) {
    FlowProblem problem = problem(seed);
    for (FlowScheduler scheduler :
        List.of(new GreedyScheduler(true), new LocalOnlyScheduler(true))) {
      if (scheduler.schedule(problem) instanceof TransferPlan plan) {
        assertThat(PlanCheck.objections(problem, plan)).isEmpty();
      }
    }
  }

  private static double nextTo(FlowOutcome outcome) {
    return outcome instanceof TransferPlan plan ? CLOSE * plan.blockingSeconds() : 0;
  }

  private static double[] sorted(TransferPlan plan, int devices) {
    return IntStream.range(0, devices).mapToDouble(plan::senderSeconds).sorted().toArray();
  }

  private static int[] shuffled(int size, Random random) {
    int[] order = IntStream.range(0, size).toArray();
    for (int i = size - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int swap = order[i];
      order[i] = order[j];
      order[j] = swap;
    }
    return order;
  }

  /** The device {@code i} of the problem becomes {@code order[i]}. */
  private static FlowProblem permuted(FlowProblem problem, int[] order) {
    int devices = problem.devices();
    TopologyBuilder topology = Topology.builder(devices);
    long[] remainder = new long[devices];
    long[] spare = new long[devices];
    for (int from = 0; from < devices; from++) {
      remainder[order[from]] = problem.remainderBytes(from);
      spare[order[from]] = problem.spareBytes(from);
      topology.host(order[from], problem.topology().hostBytesPerSecond(from));
      for (int to = 0; to < devices; to++) {
        double rate = problem.topology().linkBytesPerSecond(from, to);
        if (rate > 0) {
          topology.link(order[from], order[to], rate);
        }
      }
    }
    return new FlowProblem(topology.build(), remainder, spare, problem.chunkBytes());
  }

  private static boolean wholeChunks(FlowProblem problem) {
    return IntStream.range(0, problem.devices())
        .mapToLong(device -> problem.remainderBytes(device) + problem.spareBytes(device))
        .allMatch(bytes -> bytes % problem.chunkBytes() == 0);
  }

  private static double seconds(FlowOutcome outcome) {
    return outcome instanceof TransferPlan plan ? plan.blockingSeconds() : Double.POSITIVE_INFINITY;
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theClosedFormIsTheOptimum(int seed) {
    FlowProblem problem = Problems.uniform(new Random(seed));
    CutCertificate closed = new UniformOptimum().certificate(problem).orElseThrow();
    assertThat(closed.lowerBoundSeconds())
        .isCloseTo(seconds(exact(problem)), within(nextTo(exact(problem))));
    assertThat(PlanCheck.objections(problem, closed)).isEmpty();
  }
}
