package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointTicket;
import io.cairn.Level;
import io.cairn.Outcome;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lenders compress the chunks that they write to NODE, too. */
@Timeout(60)
class CompressedLentFlushTest extends LentFlushing {
  @Override
  String[] settings(String cacheSize, Path node) {
    return Stream.concat(
            Stream.of(super.settings(cacheSize, node)), Stream.of("node.codec", "shuffle-zstd"))
        .toArray(String[]::new);
  }

  @Test
  void whatLendersWroteIsRestored() throws Exception {
    try (SharedMachine machine = machine(PATIENCE, UnaryOperator.identity())) {
      for (CheckpointTicket ticket : train(machine, 3)) {
        assertThat(ticket.sealed(Level.NODE).join()).isEqualTo(new Outcome.Sealed(Level.NODE));
      }
      assertThat(requireOnce(2)).hasSize(2).doesNotContainKey(REST);
      assertThat(machine.lentFlushedBytes(0)).isPositive();
    }

    assertRestores(Level.NODE, 3);
  }
}
