package io.cairn.lab.study.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.lab.study.failure.PublishedPatterns.Row;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The simulator against exact expected times, each row with a seed that is its number. */
class PublishedTablesTest {
  private static final double MOST_Z = 4;
  private static final double MOST_MEAN_Z = 1.2;

  @Test
  void simulatedOverheadsAgreeWithTheExactOnes() throws InterruptedException {
    check(50_000);
  }

  @Tag("proof")
  @Test
  void simulatedOverheadsAgreeWithTheExactOnesOverMillionsOfRuns() throws InterruptedException {
    check(2_000_000);
  }

  private static void check(long runs) throws InterruptedException {
    List<Row> rows = PublishedPatterns.rows();
    List<Double> deviations = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      Row row = rows.get(i);
      SimulationResult result =
          new PatternSimulator(row.pattern(), row.failures(), SimulationRules.of(row.exposure()))
              .run(Sampling.of(runs, i));
      double standardError = result.standardErrorSeconds() / result.workSeconds();
      double z = (result.overhead() - row.overhead()) / standardError;
      assertThat(Math.abs(z))
          .as("%s, seed %d: %s, exact %s", row, i, result.overhead(), row.overhead())
          .isLessThanOrEqualTo(MOST_Z);
      deviations.add(Math.abs(z));
    }
    assertThat(deviations).hasSize(240);
    assertThat(deviations.stream().mapToDouble(z -> z).average().orElseThrow())
        .isLessThanOrEqualTo(MOST_MEAN_Z);
  }
}
