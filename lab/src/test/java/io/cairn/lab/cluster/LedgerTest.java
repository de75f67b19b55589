package io.cairn.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.GroupId;
import io.cairn.core.model.Level;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The judge of the simulated clusters notices each broken promise. */
class LedgerTest {
  private static final GroupId GROUP = new GroupId("job", "solo");
  private static final Ledger.Home HOME = new Ledger.Home("m0", 0);

  private final Ledger ledger = new Ledger();

  private CheckpointId captured(long epoch, long iteration) {
    CheckpointId id = new CheckpointId(GROUP, epoch, iteration);
    ledger.captured(id, 0, 100 + iteration, HOME);
    return id;
  }

  @Test
  void anOlderCheckpointThanASealedOneIsNoticed() {
    CheckpointId older = captured(1, 4);
    ledger.sealed(captured(1, 5), Level.STORE);

    assertThatThrownBy(
            () ->
                ledger.restored(
                    GROUP, 0, Optional.of(older), 104, ledger.floor(GROUP, List.of(HOME))))
        .isInstanceOf(ViolationException.class)
        .hasMessageContaining("e1-i5 was sealed");
  }

  @Test
  void otherBitsAreNoticed() {
    CheckpointId id = captured(1, 5);

    assertThatThrownBy(() -> ledger.restored(GROUP, 0, Optional.of(id), 99, Optional.empty()))
        .isInstanceOf(ViolationException.class)
        .hasMessageContaining("other bits");
  }

  @Test
  void aCopyAtNodeCountsAtItsHomeOnly() {
    CheckpointId id = captured(1, 5);
    ledger.sealed(id, Level.NODE);

    assertThat(ledger.floor(GROUP, List.of(HOME))).contains(id);
    assertThat(ledger.floor(GROUP, List.of(new Ledger.Home("m1", 0)))).isEmpty();
    assertThat(ledger.floor(GROUP, List.of(new Ledger.Home("m0", 1)))).isEmpty();
  }

  @Test
  void anEpochThatWasSeenBeforeIsNoticed() {
    ledger.joined(GROUP, 3, 2);

    assertThatThrownBy(() -> ledger.joined(GROUP, 3, ledger.newestEpoch(GROUP)))
        .isInstanceOf(ViolationException.class)
        .hasMessageContaining("epoch 3");
  }
}
