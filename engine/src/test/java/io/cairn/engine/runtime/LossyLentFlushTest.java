package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointTicket;
import io.cairn.Level;
import io.cairn.Outcome;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A rank's lossy chunks lie at a lender, which has the exact bytes. */
@Timeout(60)
class LossyLentFlushTest extends LentFlushing {
  private static final float STEP = 2;

  @Override
  String[] settings(String cacheSize, Path node) {
    return Stream.concat(
            Stream.of(super.settings(cacheSize, node)), Stream.of("region.loss", "weights=1"))
        .toArray(String[]::new);
  }

  @Test
  void itsOwnerRoundsAndWritesThem() throws Exception {
    try (SharedMachine machine = machine(PATIENCE, UnaryOperator.identity())) {
      for (CheckpointTicket ticket : train(machine, 3)) {
        assertThat(ticket.sealed(Level.NODE).join()).isEqualTo(new Outcome.Sealed(Level.NODE));
      }
      assertThat(machine.lentFlushedBytes(0)).isZero();
    }

    assertThat(files().containers(2, 1)).containsOnlyKeys(OWN);
    try (Ranks ranks = new Ranks(root, List.of(roomy(), roomy()))) {
      ranks.each(
          (rank, checkpointer) -> {
            Toy toy = new Toy();
            toy.protectBy(checkpointer);
            assertThat(checkpointer.restore().orElseThrow().level()).isEqualTo(Level.NODE);
            Toy exact = Ranks.undisturbed(rank, 3);
            assertThat(toy.counter).isEqualTo(exact.counter);
            for (int i = 0; i < toy.weights.length; i++) {
              assertThat(toy.weights[i] % STEP).isZero();
              assertThat(Math.abs(toy.weights[i] - exact.weights[i])).isLessThanOrEqualTo(1);
            }
            return rank;
          });
    }
  }
}
