package io.cairn.examples.wave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ranks with slabs compute the bits of one rank. */
class SlabMigrationTest {
  private static final int STEPS = 150;

  private static final Survey PLANE = Survey.plane(new Grid(61, 41, 20, 25), STEPS);
  private static final Survey BOX =
      new Survey(new Grid(15, 13, 15, 5, 25), Earth.BOX, List.of(), STEPS, 0.004, 8);

  @ParameterizedTest
  @CsvSource({"2, 2, 0", "2, 3, 0", "2, 4, 0", "2, 4, 1e-3", "3, 3, 0"})
  @Timeout(60)
  void haveTheBitsOfOneRank(int dimensions, int ranks, double bound) throws Exception {
    Survey survey = dimensions == 2 ? PLANE : BOX;
    Shots shots = new Shots(survey);
    Migration alone = shots.migration(survey.middle(), bound);
    run(alone);
    ValueExchange exchange = new ValueExchange(survey.grid(), ranks);
    List<Migration> parts = shots.migration(survey.middle(), bound, exchange, ranks);
    ExecutorService threads = Executors.newFixedThreadPool(ranks);
    try {
      List<Future<?>> ends = new ArrayList<>();
      for (Migration part : parts) {
        ends.add(threads.submit(() -> run(part)));
      }
      for (Future<?> end : ends) {
        end.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(Arrays.stream(alone.image()).map(Math::abs).max().orElse(0)).isPositive();
    assertThat(Shots.image(parts)).isEqualTo(alone.image());
    assertThat(Shots.illumination(parts)).isEqualTo(alone.illumination());
  }

  private static void run(Migration migration) {
    float[][] fields = new float[STEPS][];
    for (int step = 0; step < STEPS; step++) {
      fields[step] = migration.field();
      migration.step(step);
    }
    for (int step = STEPS - 1; step >= 0; step--) {
      migration.setField(fields[step]);
      migration.restored();
      migration.reverse(step);
    }
  }

  @Test
  void refusesSlabsWithoutAWidth() {
    assertThatThrownBy(() -> GridSlab.of(PLANE.grid(), 0, 26))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("101 cells along x for 26 ranks; each needs 4 or more");
  }

  @Test
  @Timeout(60)
  void aRankThatFailsEndsTheOthers() throws Exception {
    ValueExchange exchange = new ValueExchange(PLANE.grid(), 2);
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      Future<Long> waits = thread.submit(() -> exchange.of(0).least(7));
      Thread failing = new Thread(exchange::fail);
      failing.start();
      failing.join();
      assertThatThrownBy(waits::get).hasMessageContaining("another rank of the migration failed");
    } finally {
      thread.shutdownNow();
    }
  }
}
