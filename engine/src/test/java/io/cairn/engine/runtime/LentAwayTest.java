package io.cairn.engine.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CairnEvent;
import io.cairn.CheckpointTicket;
import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.cache.chunk.ChunkCache;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A rank whose cache would hold its state, if the slots were there: a borrower that is stopped, and
 * may write any moment, has them.
 */
@Timeout(60)
class LentAwayTest {
  @TempDir Path root;

  private final List<CairnEvent> changes = new CopyOnWriteArrayList<>();

  @Test
  void aRankWhoseSlotsDoNotComeBackGoesStraightToTheLevelsBelow() throws Exception {
    try (SharedMachine machine =
        new SharedMachine(
            root,
            Duration.ofSeconds(30),
            UnaryOperator.identity(),
            new String[] {"device.cacheSize", "1m", "node.every", "1", "store.every", "1000"})) {
      machine.ranks().each((rank, checkpointer) -> run(machine, checkpointer));
    }
  }

  private boolean run(SharedMachine machine, Checkpointer checkpointer) {
    machine.ranks().cairn(0).observers().add(this::note);
    ChunkCache cache = machine.cache(0);
    Toy toy = Ranks.toy(0);
    toy.protectBy(checkpointer);
    int[] lent = cache.lentSlots().lend(cache.slots() - 1);
    toy.run(checkpointer, 0, 5);

    CheckpointTicket without = toy.run(checkpointer, 5, 6);

    assertThat(without.sealed(Level.NODE).join()).isEqualTo(new Outcome.Sealed(Level.NODE));
    assertThat(changes).hasSize(1).first().isInstanceOf(CairnEvent.FellBack.class);
    cache.lentSlots().takeBack(lent);
    CheckpointTicket with = toy.run(checkpointer, 6, 7);
    assertThat(with.sealed(Level.DEVICE).join()).isEqualTo(new Outcome.Sealed(Level.DEVICE));
    assertThat(changes).hasSize(2).last().isInstanceOf(CairnEvent.HasRoomAgain.class);
    return true;
  }

  private void note(CairnEvent event) {
    if (event instanceof CairnEvent.FellBack || event instanceof CairnEvent.HasRoomAgain) {
      changes.add(event);
    }
  }
}
