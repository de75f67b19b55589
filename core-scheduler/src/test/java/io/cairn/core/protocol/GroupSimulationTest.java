package io.cairn.core.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.core.SeededRuns;
import io.cairn.core.protocol.SimulatedGroup.Mutation;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Coupled groups under one coordinator; the invariants are in {@link GroupTruth}. */
class GroupSimulationTest {
  private static final long PROOFS = Long.getLong("cairn.simulation.seeds", 10_000);
  private static final long SEEDS_PER_MUTATION = 1_000;

  private static final LongFunction<Map<String, Integer>> SOUND =
      SeededRuns.once(seed -> new GroupSimulation(seed, Set.of()).run());

  static LongStream seeds() {
    return LongStream.range(0, 60);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void invariantsHold(long seed) {
    var unused = SOUND.apply(seed);
  }

  @ParameterizedTest
  @EnumSource(Mutation.class)
  void everyBrokenRuleIsNoticed(Mutation mutation) {
    Optional<String> noticed =
        SeededRuns.firstViolation(
            LongStream.range(0, SEEDS_PER_MUTATION),
            seed -> new GroupSimulation(seed, Set.of(mutation)).run());
    assertThat(noticed).as("%s over %d seeds", mutation, SEEDS_PER_MUTATION).isPresent();
  }

  /** Guards against a simulation in which nothing happens. */
  @Test
  void everythingThatMattersHappens() {
    Map<String, Integer> counts = SeededRuns.counts(LongStream.range(0, 50), SOUND);
    assertThat(counts)
        .containsKeys(
            "Committed",
            "Failed",
            "Fenced",
            "Refused",
            "Resume",
            "Unknown",
            "Verify",
            "in doubt",
            "joins again",
            "plan adopted",
            "plan withdrawn",
            "sealed at DEVICE",
            "sealed at NODE",
            "sealed at STORE");
  }

  @Tag("proof")
  @Test
  void invariantsHoldForManySeeds() {
    LongStream.range(200, 200 + PROOFS).forEach(seed -> new GroupSimulation(seed, Set.of()).run());
  }
}
