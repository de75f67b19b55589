package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.cache.chunk.ChunkCache;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CyclicBarrier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A lender keeps what its group can restore for as long as the group seals nothing newer. */
@Timeout(60)
class LendingKeepsSealedTest {
  private static final String[] ROOMY = {"device.cacheSize", "1m"};

  @TempDir Path root;

  @Test
  void aLenderKeepsTheNewestThatItsGroupSealed() throws Exception {
    CyclicBarrier together = new CyclicBarrier(2);
    try (SharedMachine machine =
        new SharedMachine(root, Duration.ofSeconds(30), UnaryOperator.identity(), ROOMY, ROOMY)) {
      machine.ranks().each((rank, checkpointer) -> run(machine, rank, checkpointer, together));
    }
  }

  private static boolean run(
      SharedMachine machine, int rank, Checkpointer checkpointer, CyclicBarrier together)
      throws Exception {
    Ranks.toy(rank).protectBy(checkpointer);
    assertThat(checkpointer.checkpoint(0).sealed(Level.STORE).join())
        .isInstanceOf(Outcome.Sealed.class);
    together.await();
    if (rank == 0) {
      checkpointer.checkpoint(1).captured().join();
      checkpointer.checkpoint(2).captured().join();
      ChunkCache cache = machine.cache(0);

      int[] lent = cache.lentSlots().lend(cache.slots());

      assertThat(cache.of(checkpointer.member().group(), 0))
          .extracting(one -> one.id().iteration())
          .containsExactly(2L, 0L);
      cache.lentSlots().takeBack(lent);
    }
    together.await();
    return true;
  }
}
