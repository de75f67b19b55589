package io.cairn.flush.restore;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.RestoreReport.Attempt;
import io.cairn.core.model.Ancestry;
import io.cairn.core.protocol.Proof;
import io.cairn.flush.commit.Written;
import io.cairn.flush.format.MemoryStore;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.Unreadable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GroupSurveyTest {
  private static final Member ALONE = new Member(Written.GROUP, 0, 1);

  private final MemoryStore node = new MemoryStore("node");
  private final MemoryStore store = new MemoryStore("store");
  private final RestorePlanner planner =
      new RestorePlanner(
          List.of(new StoreCopies(node, Level.NODE), new StoreCopies(store, Level.STORE)));

  private List<CheckpointId> choices(Member member) {
    return planner.candidates(member).choices().stream().map(Plan.Choice::id).toList();
  }

  @Test
  void nothingAnywhereIsAnEmptyPlan() {
    assertThat(planner.candidates(ALONE))
        .isEqualTo(new Plan(List.of(), List.of(), List.of(), List.of(), List.of(), List.of()));
  }

  @Test
  void theNewestComesFirstAndSaysWhereItIs() throws IOException {
    Written.part(node, Written.id(1, 20), 0, 1, Ancestry.NONE);
    Written.part(node, Written.id(1, 30), 0, 1, Ancestry.NONE);
    Written.sealed(store, Written.id(1, 20), 1, Ancestry.NONE);
    Plan plan = planner.candidates(ALONE);
    assertThat(plan.choices())
        .extracting(Plan.Choice::levels)
        .containsExactly(List.of(Level.NODE), List.of(Level.NODE, Level.STORE));
    assertThat(plan.choices().get(0).id()).isEqualTo(Written.id(1, 30));
    assertThat(plan.choices().get(0).candidate().digest())
        .isEqualTo(
            Digest.of(
                node.content(StoreNames.file(Written.id(1, 30), StoreNames.manifestPart(0)))));
    assertThat(plan.refused()).isEmpty();
  }

  @Test
  void aCheckpointOfAnotherSizeIsKnownWithTheLevelsThatHaveAnyOfIt() throws IOException {
    Written.part(node, Written.id(1, 20), 1, 2, Ancestry.NONE);
    Written.sealed(store, Written.id(1, 20), 2, Ancestry.NONE);
    Plan plan = planner.candidates(ALONE);
    assertThat(plan.choices()).isEmpty();
    assertThat(plan.otherSize())
        .extracting(Plan.Choice::levels)
        .containsExactly(List.of(Level.NODE, Level.STORE));
  }

  @Test
  void aLineThatWasLeftIsNeverOffered() throws IOException {
    Ancestry line = Ancestry.NONE.continuedFrom(Written.id(1, 20));
    Written.sealed(store, Written.id(1, 20), 1, Ancestry.NONE);
    Written.part(node, Written.id(1, 40), 0, 1, Ancestry.NONE);
    Written.sealed(store, Written.id(2, 30), 1, line);
    Plan plan = planner.candidates(ALONE);
    assertThat(choices(ALONE)).containsExactly(Written.id(2, 30), Written.id(1, 20));
    assertThat(plan.refused())
        .singleElement()
        .satisfies(
            refused -> {
              assertThat(refused.id()).isEqualTo(Written.id(1, 40));
              assertThat(refused.level()).isEqualTo(Level.NODE);
              assertThat(refused.refusal()).contains("not on the current line");
            });
  }

  /** Else a zombie's late checkpoint would come back to life when the newest one loses its data. */
  @Test
  void aDamagedCheckpointStillTellsTheNewestLine() throws IOException {
    Ancestry line = Ancestry.NONE.continuedFrom(Written.id(1, 20));
    Written.sealed(store, Written.id(1, 20), 1, Ancestry.NONE);
    Written.sealed(store, Written.id(1, 40), 1, Ancestry.NONE);
    Written.sealed(store, Written.id(2, 30), 1, line);
    store.delete(StoreNames.file(Written.id(2, 30), StoreNames.container(0)));
    assertThat(choices(ALONE)).containsExactly(Written.id(1, 20));
    assertThat(planner.candidates(ALONE).refused())
        .extracting(refused -> refused.id().label())
        .containsExactlyInAnyOrder("e2-i30", "e1-i40");
  }

  @Test
  void anotherNumberOfRanksIsReportedApart() throws IOException {
    Written.sealed(store, Written.id(1, 20), 4, Ancestry.NONE);
    Plan plan = planner.candidates(new Member(Written.GROUP, 0, 2));
    assertThat(plan.choices()).isEmpty();
    assertThat(plan.otherSize())
        .singleElement()
        .satisfies(
            other -> {
              assertThat(other.id()).isEqualTo(Written.id(1, 20));
              assertThat(other.size()).isEqualTo(4);
            });
  }

  @Test
  void eachRankOffersWhatItHas() throws IOException {
    Written.part(node, Written.id(1, 20), 0, 2, Ancestry.NONE);
    Written.sealed(store, Written.id(1, 10), 2, Ancestry.NONE);
    assertThat(choices(new Member(Written.GROUP, 0, 2)))
        .containsExactly(Written.id(1, 20), Written.id(1, 10));
    Member other = new Member(Written.GROUP, 1, 2);
    assertThat(choices(other)).containsExactly(Written.id(1, 10));
    assertThat(planner.candidates(other).refused())
        .singleElement()
        .satisfies(
            refused -> assertThat(refused.refusal()).contains("other ranks' data, not rank 1's"));
  }

  @Test
  void aManifestThatCannotBeReadIsRefusedWithItsReason() throws IOException {
    Written.sealed(store, Written.id(1, 10), 1, Ancestry.NONE);
    Written.sealed(store, Written.id(1, 20), 1, Ancestry.NONE);
    store.flip(StoreNames.file(Written.id(1, 20), StoreNames.MANIFEST), 900);
    assertThat(choices(ALONE)).containsExactly(Written.id(1, 10));
    assertThat(planner.candidates(ALONE).refused())
        .singleElement()
        .satisfies(
            refused -> {
              assertThat(refused.id()).isEqualTo(Written.id(1, 20));
              assertThat(refused.refusal()).contains("memory:store").contains("damaged");
            });
  }

  @Test
  void copiesThatContradictTheNearerOneDoNotCount() throws IOException {
    Written.part(node, Written.id(3, 20), 0, 1, Ancestry.NONE);
    Ancestry other = Ancestry.NONE.continuedFrom(Written.id(1, 5));
    Written.sealed(store, Written.id(3, 20), 1, other);
    Plan plan = planner.candidates(ALONE);
    assertThat(plan.choices().get(0).levels()).containsExactly(Level.NODE);
    assertThat(plan.refused().get(0).refusal()).contains("differs in size or ancestry");
  }

  @Test
  void aSourceThatCannotSayIsNamed() throws IOException {
    Written.part(node, Written.id(1, 20), 0, 1, Ancestry.NONE);
    RestorePlanner half =
        new RestorePlanner(
            List.of(
                new StoreCopies(node, Level.NODE), new StoreCopies(new GoneStore(), Level.STORE)));
    Plan plan = half.candidates(ALONE);
    assertThat(plan.choices()).hasSize(1);
    assertThat(plan.unreachable())
        .extracting(Plan.Unreachable::toString)
        .containsExactly("STORE (hdfs://gone): connection refused");
  }

  /** Else a group whose checkpoints were deleted on purpose could not start afresh. */
  @Test
  void aMarkAloneProvesNoDamage() {
    Plan plan = new RestorePlanner(List.of(new MarkAlone())).candidates(ALONE);

    assertThat(plan.refused())
        .containsExactly(new Attempt(Written.id(1, 20), Level.STORE, "its manifest is gone"));
    assertThat(plan.damaged()).isEmpty();
  }

  /** A store whose newest checkpoint left only a mark. */
  private static final class MarkAlone implements CopySource {
    @Override
    public Level level() {
      return Level.STORE;
    }

    @Override
    public String describe() {
      return "marked";
    }

    @Override
    public Map<CheckpointId, Holding> holdings(Member member) {
      return Map.of(
          Written.id(1, 20),
          new Holding(0, Optional.empty(), false, "its manifest is gone", Proof.HEARSAY));
    }

    @Override
    public Optional<Copy> open(CheckpointId id, int rank) {
      return Optional.empty();
    }
  }

  private Plan withUnreadable(CheckpointId lost) {
    return withUnreadable(lost, ALONE);
  }

  private Plan withUnreadable(CheckpointId lost, Member member) {
    CheckpointStore broken = Unreadable.file(store, StoreNames.file(lost, StoreNames.MANIFEST));
    return new RestorePlanner(
            List.of(new StoreCopies(node, Level.NODE), new StoreCopies(broken, Level.STORE)))
        .candidates(member);
  }

  @Test
  void anOldManifestThatCannotBeReadDoesNotHoldBackANewerOne() throws IOException {
    Written.sealed(store, Written.id(1, 10), 1, Ancestry.NONE);
    Written.sealed(store, Written.id(1, 20), 1, Ancestry.NONE);

    Plan plan = withUnreadable(Written.id(1, 10));

    assertThat(plan.choices()).extracting(Plan.Choice::id).containsExactly(Written.id(1, 20));
    assertThat(plan.unreachable()).isEmpty();
    assertThat(plan.refused())
        .singleElement()
        .satisfies(refused -> assertThat(refused.refusal()).contains("could not obtain block"));
    assertThat(plan.damaged()).isEmpty();
  }

  /** The other rank may have lost the newer one. */
  @Test
  void aGroupAsksAgainForAnOldManifestThatNoNearerCopyReplaces() throws IOException {
    Written.sealed(store, Written.id(1, 10), 2, Ancestry.NONE);
    Written.part(node, Written.id(1, 20), 0, 2, Ancestry.NONE);
    Written.sealed(store, Written.id(1, 20), 2, Ancestry.NONE);

    Plan old = withUnreadable(Written.id(1, 10), new Member(Written.GROUP, 0, 2));
    Plan replaced = withUnreadable(Written.id(1, 20), new Member(Written.GROUP, 0, 2));

    assertThat(old.unreachable())
        .singleElement()
        .satisfies(
            unreachable -> {
              assertThat(unreachable.reason()).contains("e1-i10", "could not obtain block");
              assertThat(unreachable.mayBeNewest()).isFalse();
            });
    assertThat(replaced.unreachable()).isEmpty();
  }

  @Test
  void aGroupDoesNotAskAgainForALineThatWasLeft() throws IOException {
    Ancestry line = Ancestry.NONE.continuedFrom(Written.id(1, 10));
    Written.sealed(store, Written.id(1, 20), 2, Ancestry.NONE);
    Written.sealed(store, Written.id(2, 11), 2, line);

    Plan plan = withUnreadable(Written.id(1, 20), new Member(Written.GROUP, 0, 2));

    assertThat(plan.unreachable()).isEmpty();
  }

  @Test
  void theNewestManifestIsUnreachableWhileItCannotBeRead() throws IOException {
    Written.sealed(store, Written.id(1, 10), 1, Ancestry.NONE);
    Written.sealed(store, Written.id(1, 20), 1, Ancestry.NONE);

    assertThat(withUnreadable(Written.id(1, 20)).unreachable())
        .singleElement()
        .satisfies(
            unreachable ->
                assertThat(unreachable.toString())
                    .startsWith("STORE")
                    .contains("e1-i20", "could not obtain block"));
  }

  @Test
  void aNearerCopyReplacesAManifestThatCannotBeRead() throws IOException {
    Written.part(node, Written.id(1, 20), 0, 1, Ancestry.NONE);
    Written.sealed(store, Written.id(1, 20), 1, Ancestry.NONE);

    Plan plan = withUnreadable(Written.id(1, 20));

    assertThat(plan.choices()).extracting(Plan.Choice::levels).containsExactly(List.of(Level.NODE));
    assertThat(plan.unreachable()).isEmpty();
  }

  @Test
  void aPartThatCannotBeReadNowIsNotPassedOverForTheOtherParts() throws IOException {
    for (int rank = 0; rank < 2; rank++) {
      Written.part(node, Written.id(1, 20), rank, 2, Ancestry.NONE);
      Written.part(node, Written.id(1, 30), rank, 2, Ancestry.NONE);
    }
    String own = StoreNames.file(Written.id(1, 30), StoreNames.manifestPart(0));
    CheckpointStore broken = Unreadable.file(node, own);

    Plan plan =
        new RestorePlanner(List.of(new StoreCopies(broken, Level.NODE)))
            .candidates(new Member(Written.GROUP, 0, 2));

    assertThat(plan.unreachable())
        .singleElement()
        .satisfies(unreachable -> assertThat(unreachable.toString()).contains("e1-i30"));
    assertThat(plan.damaged()).isEmpty();
  }
}
