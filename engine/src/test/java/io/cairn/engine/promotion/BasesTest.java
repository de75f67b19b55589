package io.cairn.engine.promotion;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.flush.commit.Written;
import io.cairn.flush.format.Base;
import io.cairn.flush.format.LayeredRank;
import io.cairn.flush.format.MemoryStore;
import java.io.IOException;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class BasesTest {
  private static final Outcome SEALED = new Outcome.Sealed(Level.NODE);

  private final MemoryStore store = new MemoryStore("m");
  private final LayeredRank rank = new LayeredRank(0, 1, 8, new SplittableRandom(1));
  private final Bases bases = new Bases(3);

  private Base written(CheckpointId id) throws IOException {
    Base base = rank.writeAside(store, id);
    bases.written(0, base);
    return base;
  }

  private Optional<CheckpointId> baseOf(CheckpointId id) {
    return bases.of(id, 0).base().map(Base::id);
  }

  /** The one before it may be deleted as soon as this one is sealed. */
  @Test
  void theNewestThatWasWrittenIsTheBase() throws IOException {
    written(Written.id(1, 1));
    bases.settled(Written.id(1, 1), 0, SEALED);
    written(Written.id(1, 2));

    assertThat(baseOf(Written.id(1, 3))).contains(Written.id(1, 2));
    assertThat(bases.of(Written.id(1, 3), 0).maxHolders()).isEqualTo(3);
  }

  @Test
  void theNewestSealedOneIsTheBaseIfNoneIsNewer() throws IOException {
    written(Written.id(1, 1));
    written(Written.id(1, 2));

    bases.settled(Written.id(1, 2), 0, SEALED);
    bases.settled(Written.id(1, 1), 0, SEALED);

    assertThat(baseOf(Written.id(1, 3))).contains(Written.id(1, 2));
  }

  /** Retention may have deleted it by the rules of the later epoch. */
  @Test
  void oneOfAnotherEpochIsNoBase() throws IOException {
    written(Written.id(1, 1));
    bases.settled(Written.id(1, 1), 0, SEALED);

    assertThat(baseOf(Written.id(2, 2))).isEmpty();
  }

  @Test
  void ofAnotherRankNothingIsKnown() throws IOException {
    written(Written.id(1, 1));
    bases.settled(Written.id(1, 1), 0, SEALED);

    assertThat(bases.of(Written.id(1, 2), 1).base()).isEmpty();
  }

  @Test
  void afterAFailureThereIsNone() throws IOException {
    written(Written.id(1, 1));
    bases.settled(Written.id(1, 1), 0, SEALED);
    written(Written.id(1, 2));

    bases.settled(Written.id(1, 2), 0, new Outcome.Failed("no disk"));

    assertThat(baseOf(Written.id(1, 3))).isEmpty();
  }

  @Test
  void oneThatWasSkippedLeavesTheOldBase() throws IOException {
    written(Written.id(1, 1));
    bases.settled(Written.id(1, 1), 0, SEALED);
    written(Written.id(1, 2));

    bases.settled(Written.id(1, 2), 0, new Outcome.Skipped("slow"));

    assertThat(baseOf(Written.id(1, 3))).contains(Written.id(1, 1));
  }

  @Test
  void aGroupThatLeftIsForgotten() throws IOException {
    written(Written.id(1, 1));
    bases.settled(Written.id(1, 1), 0, SEALED);

    bases.left(Written.GROUP);

    assertThat(baseOf(Written.id(1, 2))).isEmpty();
  }

  @Test
  void ofManyWithoutAnOutcomeTheNewestIsKnown() throws IOException {
    for (int i = 1; i <= 20; i++) {
      written(Written.id(1, i));
    }

    for (int i = 20; i > 12; i--) {
      assertThat(baseOf(Written.id(1, 21))).contains(Written.id(1, i));
      bases.settled(Written.id(1, i), 0, new Outcome.Skipped("slow"));
    }
    assertThat(baseOf(Written.id(1, 21))).isEmpty();
  }
}
