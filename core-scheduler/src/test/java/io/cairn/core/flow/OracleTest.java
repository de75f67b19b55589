package io.cairn.core.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every scheduler against optima that were computed independently. */
class OracleTest {
  static Stream<OracleInstance> plain() {
    return OracleInstance.all("flow");
  }

  static Stream<OracleInstance> extended() {
    return OracleInstance.all("flow-extended");
  }

  @ParameterizedTest
  @MethodSource("plain")
  void exactEqualsTheIndependentOptimum(OracleInstance instance) {
    equalsOptimum(instance, new ParametricFlowScheduler(), "optimalSeconds", 1e-7);
  }

  @ParameterizedTest
  @MethodSource("extended")
  void exactHonoursSharedCapacities(OracleInstance instance) {
    equalsOptimum(instance, new ParametricFlowScheduler(), "optimalSeconds", 1e-6);
    equalsOptimum(instance, new ParametricFlowScheduler(false, true), "optimalSeconds", 1e-6);
  }

  @ParameterizedTest
  @MethodSource("extended")
  void wholeChunksHonourSharedCapacities(OracleInstance instance) {
    FlowOutcome outcome = new ParametricFlowScheduler(true, false).schedule(instance.problem());
    TransferPlan plan = proven(instance.problem(), outcome);
    outcome = new ParametricFlowScheduler(true, true).schedule(instance.problem());
    double refined = proven(instance.problem(), outcome).blockingSeconds();
    assertThat(refined).isCloseTo(plan.blockingSeconds(), within(1e-9 * refined));
    assertThat(plan.blockingSeconds())
        .isGreaterThanOrEqualTo(instance.expected("optimalSeconds") * (1 - 1e-6));
  }

  @ParameterizedTest
  @MethodSource("plain")
  void refinementKeepsTheOptimum(OracleInstance instance) {
    equalsOptimum(instance, new ParametricFlowScheduler(false, true), "optimalSeconds", 1e-7);
    equalsOptimum(instance, new ParametricFlowScheduler(true, true), "chunkOptimalSeconds", 1e-9);
  }

  @ParameterizedTest
  @MethodSource("plain")
  void wholeChunksEqualTheIndependentOptimum(OracleInstance instance) {
    equalsOptimum(instance, new ParametricFlowScheduler(true, false), "chunkOptimalSeconds", 1e-9);
  }

  @ParameterizedTest
  @MethodSource("plain")
  void greedyAndLocalOnlyEqualTheirs(OracleInstance instance) {
    equalsOptimum(instance, new GreedyScheduler(false), "greedySeconds", 1e-9);
    equalsOptimum(instance, new LocalOnlyScheduler(false), "localOnlySeconds", 1e-9);
  }

  @ParameterizedTest
  @MethodSource("plain")
  void thePublishedAlgorithmEqualsTheOptimumInWholeChunks(OracleInstance instance) {
    if (!instance.expected().get("chunkOptimalSeconds").asText().equals("not-computed")) {
      equalsOptimum(instance, new MinTimeMaxFlowScheduler(), "chunkOptimalSeconds", 1e-9);
    }
  }

  private static void equalsOptimum(
      OracleInstance instance, FlowScheduler scheduler, String key, double tolerance) {
    FlowOutcome outcome = scheduler.schedule(instance.problem());
    if (instance.expected().get(key).isNull()) {
      assertThat(outcome).isInstanceOf(Infeasible.class);
      List<String> objections =
          ((Infeasible) outcome)
              .certificate()
              .map(certificate -> PlanCheck.objections(instance.problem(), certificate))
              .orElse(List.of());
      assertThat(objections).isEmpty();
      return;
    }
    TransferPlan plan = proven(instance.problem(), outcome);
    double expected =
        instance.expected().get(key).isNumber() ? instance.expected(key) : plan.blockingSeconds();
    assertThat(plan.blockingSeconds()).isCloseTo(expected, within(tolerance * expected));
  }

  /** The plan, after its own check and that of its certificate, if it has one. */
  static TransferPlan proven(FlowProblem problem, FlowOutcome outcome) {
    assertThat(outcome).isInstanceOf(TransferPlan.class);
    TransferPlan plan = (TransferPlan) outcome;
    assertThat(PlanCheck.objections(problem, plan)).isEmpty();
    plan.certificate()
        .ifPresent(
            certificate -> {
              double seconds = plan.blockingSeconds();
              assertThat(certificate.lowerBoundSeconds())
                  .isCloseTo(seconds, within(1e-9 * seconds));
              assertThat(PlanCheck.objections(problem, certificate)).isEmpty();
            });
    return plan;
  }
}
