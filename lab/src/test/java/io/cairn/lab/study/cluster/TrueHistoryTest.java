package io.cairn.lab.study.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Level;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** The judge of the simulated clusters notices each broken promise. */
class TrueHistoryTest {
  private static final GroupId GROUP = new GroupId("job", "solo");
  private static final TrueHistory.Home HOME = new TrueHistory.Home("m0", 0);

  private final TrueHistory ledger = new TrueHistory(false, false);

  private CheckpointId captured(long epoch, long iteration) {
    CheckpointId id = new CheckpointId(GROUP, epoch, iteration);
    ledger.captured(id, 0, 100 + iteration, HOME);
    return id;
  }

  private void join(long epoch, TrueHistory.Home home) {
    ledger.joined(GROUP, epoch, 0, home, ledger.newestEpoch(GROUP));
  }

  @Test
  void anOlderCheckpointThanASealedOneIsNoticed() {
    CheckpointId older = captured(1, 4);
    ledger.sealed(captured(1, 5), Level.STORE);
    join(2, HOME);

    assertThatThrownBy(() -> ledger.restored(GROUP, 2, 0, Optional.of(older), 104))
        .isInstanceOf(ViolationException.class)
        .hasMessageContaining("e1-i5 was sealed");
  }

  @Test
  void aRollbackThatFindsNothingOfStoreIsNoticed() {
    join(1, HOME);
    ledger.sealed(captured(1, 5), Level.STORE);
    ledger.rolledBack(GROUP, 2, 0, HOME, ledger.atStore(GROUP));

    assertThatThrownBy(() -> ledger.restored(GROUP, 2, 0, Optional.empty(), 0))
        .isInstanceOf(ViolationException.class)
        .hasMessageContaining("e1-i5 was sealed");
  }

  /** Its retention deletes what the older attempt goes on from. */
  @Test
  void anAttemptThatALaterOneHasReplacedMayFallBehind() {
    CheckpointId older = captured(1, 4);
    ledger.sealed(captured(1, 5), Level.STORE);
    join(2, HOME);
    join(3, HOME);

    ledger.sealed(captured(3, 6), Level.STORE);

    assertThatCode(() -> ledger.restored(GROUP, 2, 0, Optional.of(older), 104))
        .doesNotThrowAnyException();
  }

  /** The copies at NODE go there, and those at STORE stay. */
  @Test
  void anAttemptThatALaterOneHasReplacedAtNodeHasStore() {
    CheckpointId atStore = captured(1, 4);
    ledger.sealed(atStore, Level.STORE);
    CheckpointId atNode = captured(1, 5);
    ledger.sealed(atNode, Level.NODE);
    join(2, HOME);
    join(3, HOME);
    assertThat(ledger.floor(GROUP, 2)).contains(atNode);

    ledger.sealed(captured(3, 6), Level.NODE);

    assertThat(ledger.floor(GROUP, 2)).contains(atStore);
  }

  @Test
  void otherBitsAreNoticed() {
    CheckpointId id = captured(1, 5);

    assertThatThrownBy(() -> ledger.restored(GROUP, 2, 0, Optional.of(id), 99))
        .isInstanceOf(ViolationException.class)
        .hasMessageContaining("other bits");
  }

  @Test
  void aCopyAtNodeCountsAtItsHomeOnly() {
    CheckpointId id = captured(1, 5);
    ledger.sealed(id, Level.NODE);

    join(2, HOME);
    join(3, new TrueHistory.Home("m1", 0));
    join(4, new TrueHistory.Home("m0", 1));

    assertThat(ledger.floor(GROUP, 2)).contains(id);
    assertThat(ledger.floor(GROUP, 3)).isEmpty();
    assertThat(ledger.floor(GROUP, 4)).isEmpty();
  }

  @Test
  void ranksOfTwoAttemptsInOneEpochCountWhereTheyRun() {
    CheckpointId id = captured(1, 5);
    ledger.captured(id, 1, 200, HOME);
    ledger.sealed(id, Level.NODE);

    ledger.joined(GROUP, 2, 0, HOME, 1);
    ledger.joined(GROUP, 2, 1, new TrueHistory.Home("m1", 0), 1);

    assertThat(ledger.floor(GROUP, 2)).isEmpty();
  }

  @Test
  void onlyWhatWasSealedWhenTheEpochBeganCounts() {
    CheckpointId id = captured(1, 5);
    join(2, HOME);

    ledger.sealed(id, Level.STORE);

    assertThat(ledger.floor(GROUP, 2)).isEmpty();
  }

  @Test
  void ofDamageAtStoreTheNewestGoodCheckpointCounts() {
    CheckpointId older = captured(1, 4);
    ledger.sealed(older, Level.STORE);
    CheckpointId newer = captured(1, 5);
    ledger.sealed(newer, Level.STORE);
    join(2, HOME);

    ledger.damaged(newer, Level.STORE);

    assertThat(ledger.floor(GROUP, 2)).contains(older);
  }

  @Test
  void aDamagedCopyAtNodeLeavesStore() {
    CheckpointId atStore = captured(1, 4);
    ledger.sealed(atStore, Level.STORE);
    CheckpointId newer = captured(1, 5);
    ledger.sealed(newer, Level.NODE);
    join(2, HOME);

    ledger.damaged(newer, Level.NODE);

    assertThat(ledger.floor(GROUP, 2)).contains(atStore);
  }

  @Test
  void checkpointsAtPeerSurviveTheLossOfAsManyMachinesAsItBears() {
    CheckpointId older = captured(1, 4);
    CheckpointId id = captured(1, 5);
    ledger.sealed(older, Level.PEER);
    ledger.sealed(id, Level.PEER);

    ledger.losesMachines(GROUP);
    join(2, new TrueHistory.Home("m1", 0));

    assertThat(ledger.floor(GROUP, 2)).contains(id);

    ledger.lossIsOver(GROUP);

    assertThat(ledger.floor(GROUP, 2)).isEmpty();
  }

  @Test
  void peerIsAheadWhileItsNewestIsNotAtStore() {
    CheckpointId older = captured(1, 4);
    CheckpointId newer = captured(1, 5);
    assertThat(ledger.isPeerAhead(GROUP)).isFalse();

    ledger.sealed(older, Level.PEER);
    assertThat(ledger.isPeerAhead(GROUP)).isTrue();

    ledger.sealed(newer, Level.STORE);
    assertThat(ledger.isPeerAhead(GROUP)).isFalse();
  }

  @Test
  void aLineThatAnEarlierAttemptBeginsMeanwhileCountsWhereItIsSeen() {
    TrueHistory served = new TrueHistory(true, false);
    for (TrueHistory each : List.of(ledger, served)) {
      each.captured(new CheckpointId(GROUP, 1, 5), 0, 100, HOME);
      each.sealed(new CheckpointId(GROUP, 1, 5), Level.NODE);
      each.joined(GROUP, 3, 0, HOME, 2);

      each.captured(new CheckpointId(GROUP, 2, 4), 0, 200, new TrueHistory.Home("m1", 0));
    }

    assertThat(ledger.floor(GROUP, 3)).isPresent();
    assertThat(served.floor(GROUP, 3)).isEmpty();
  }

  @Test
  void anEpochThatWasSeenBeforeIsNoticed() {
    join(3, HOME);

    assertThatThrownBy(() -> join(3, HOME))
        .isInstanceOf(ViolationException.class)
        .hasMessageContaining("epoch 3");
  }

  /** Another attempt does not see it, and may take its number, or a lower one. */
  @Test
  void anEpochWithoutAClaimHoldsNobodyBack() {
    Set<Long> claims = new HashSet<>(Set.of(1L));
    TrueHistory unclaimed = new TrueHistory(false, false, (group, epoch) -> claims.contains(epoch));
    CheckpointId id = new CheckpointId(GROUP, 7, 5);
    unclaimed.joined(GROUP, 1, 0, HOME, 0);
    unclaimed.joined(GROUP, 7, 0, HOME, unclaimed.newestEpoch(GROUP));
    unclaimed.captured(id, 0, 100, HOME);

    assertThat(unclaimed.newestEpoch(GROUP)).isEqualTo(1);
    assertThat(unclaimed.captured(GROUP)).isEmpty();

    claims.add(7L);
    unclaimed.captured(id, 0, 200, HOME);

    assertThat(unclaimed.newestEpoch(GROUP)).isEqualTo(7);
    assertThatCode(() -> unclaimed.restored(GROUP, 7, 0, Optional.of(id), 100))
        .doesNotThrowAnyException();
    assertThatCode(() -> unclaimed.restored(GROUP, 7, 0, Optional.of(id), 200))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> unclaimed.restored(GROUP, 7, 0, Optional.of(id), 300))
        .isInstanceOf(ViolationException.class)
        .hasMessageContaining("other bits");
  }

  @Test
  void aRankThatLeftDoesNotKnowALaterSealAtPeer() {
    CheckpointId id = new CheckpointId(GROUP, 1, 5);
    ledger.captured(id, 0, 7, HOME);
    ledger.captured(id, 1, 8, HOME);

    ledger.sealed(id, 0, Level.PEER);
    assertThat(ledger.isLastAtPeer(GROUP)).isFalse();

    ledger.sealed(id, 1, Level.PEER);
    assertThat(ledger.isLastAtPeer(GROUP)).isTrue();
  }

  @Test
  void aNodeThatDeletesWhatStoreLacksIsNoticed() {
    CheckpointId older = captured(1, 4);
    CheckpointId newer = captured(1, 5);
    ledger.sealed(newer, Level.NODE);
    Set<CheckpointId> held = Set.of(older, newer);

    assertThatThrownBy(() -> ledger.cleanedAtNode(GROUP, held, new TreeSet<>(Set.of(older))))
        .isInstanceOf(ViolationException.class)
        .hasMessageContaining("STORE has none of [job/solo e1-i5]");
    assertThatCode(() -> ledger.cleanedAtNode(GROUP, held, new TreeSet<>(Set.of(newer))))
        .doesNotThrowAnyException();
    assertThatCode(() -> ledger.cleanedAtNode(GROUP, Set.of(older), new TreeSet<>()))
        .as("nothing that was sealed is held there")
        .doesNotThrowAnyException();
  }
}
