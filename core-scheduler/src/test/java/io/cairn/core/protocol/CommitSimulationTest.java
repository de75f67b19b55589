package io.cairn.core.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.core.SeededRuns;
import io.cairn.core.protocol.Rules.Mutation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Commit, epochs and lineage over a crashing store. The invariants are in {@link Truth}; each of
 * them is shown to be able to fail by rules that are broken on purpose.
 */
class CommitSimulationTest {
  private static final long PROOFS = Long.getLong("cairn.simulation.seeds", 10_000);
  private static final long SEEDS_PER_MUTATION = 3_000;

  /** Seeds that show rare violations; they come first only to save time. */
  private static final List<Long> SHOWED_RARE_ONES = List.of(471L, 423L, 229L, 85L);

  private static LongStream mutationSeeds() {
    return LongStream.range(0, SEEDS_PER_MUTATION);
  }

  private static final LongFunction<Map<String, Integer>> SOUND =
      SeededRuns.once(seed -> new CommitSimulation(seed, Rules.SOUND, true).run());

  static LongStream seeds() {
    return LongStream.range(0, 200);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void invariantsHold(long seed) {
    var unused = SOUND.apply(seed);
  }

  static LongStream fewSeeds() {
    return LongStream.range(1_000, 1_050);
  }

  /** An attempt that reports without asking may report an abandoned line; the newest is found. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("fewSeeds")
  void newestReportIsFoundWithoutAsking(long seed) {
    new CommitSimulation(seed, Rules.broken(Mutation.REPORTS_WITHOUT_ASKING), false).run();
  }

  @ParameterizedTest
  @EnumSource(Mutation.class)
  void everyBrokenRuleIsNoticed(Mutation mutation) {
    Optional<String> noticed =
        SeededRuns.firstViolation(
            LongStream.concat(SHOWED_RARE_ONES.stream().mapToLong(seed -> seed), mutationSeeds()),
            seed -> new CommitSimulation(seed, Rules.broken(mutation), true).run());
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
            "Unknown",
            "epochs taken",
            "fenced",
            "fresh starts",
            "published after Unknown",
            "reported",
            "resumes");
  }

  @Tag("proof")
  @Test
  void invariantsHoldForManySeeds() {
    LongStream.range(200, 200 + PROOFS)
        .forEach(seed -> new CommitSimulation(seed, Rules.SOUND, true).run());
  }
}
