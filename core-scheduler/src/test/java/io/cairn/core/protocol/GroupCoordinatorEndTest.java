package io.cairn.core.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.core.cadence.CadencePlan;
import io.cairn.core.cadence.CadencePolicy;
import io.cairn.core.cadence.Measurement;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.protocol.CoordinatorAction.CommitManifest;
import io.cairn.core.protocol.CoordinatorAction.MarkEnd;
import io.cairn.core.protocol.CoordinatorAction.Send;
import io.cairn.core.protocol.CoordinatorMessage.Promote;
import io.cairn.core.protocol.CoordinatorMessage.Rescue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Checkpoints of two ranks that go further than their periods ask: the last, and late ones. */
class GroupCoordinatorEndTest {
  private static final Digest DIGEST = Digest.of("index".getBytes(UTF_8));
  private static final long SECOND = 1_000_000_000L;

  private final GroupCoordinator coordinator =
      new GroupCoordinator(
          Paths.GROUP,
          2,
          CadencePolicy.fixed(
              CadencePlan.every(1, 1000, 1000), Map.of(Level.NODE, 10.0, Level.STORE, 60.0)),
          Duration.ofMinutes(30));
  private long nowNanos;

  private List<CoordinatorAction> on(CoordinatorEvent event) {
    return coordinator.on(event, nowNanos);
  }

  private List<CoordinatorMessage> sent(CoordinatorEvent event, Class<?> kind) {
    return on(event).stream()
        .filter(Send.class::isInstance)
        .map(action -> ((Send) action).message())
        .filter(kind::isInstance)
        .toList();
  }

  private void begin() {
    for (int rank = 0; rank < 2; rank++) {
      on(new MemberMessage.Join(rank, 2, "rank " + rank, new Origin("birth", 0)));
    }
    on(new CoordinatorEvent.EpochTaken(4));
    for (int rank = 0; rank < 2; rank++) {
      on(new MemberMessage.Offer(rank, 4, List.of()));
    }
  }

  private static MemberMessage held(int rank, long iteration, Level level) {
    ContainerSummary container =
        new ContainerSummary("writer-" + rank + ".chunks", 1, DIGEST, List.of(rank));
    return new MemberMessage.Held(rank, 4, iteration, level, List.of(container), Measurement.NONE);
  }

  /** Both ranks hold an iteration at DEVICE; returns the levels that it is sent to early. */
  private Set<Level> capture(long iteration) {
    on(held(0, iteration, Level.DEVICE));
    List<CoordinatorMessage> orders = sent(held(1, iteration, Level.DEVICE), Promote.class);
    return orders.isEmpty() ? Set.of() : ((Promote) orders.get(0)).levels();
  }

  private List<CoordinatorAction> store(long iteration) {
    on(held(0, iteration, Level.STORE));
    on(held(1, iteration, Level.STORE));
    CheckpointId id = new CheckpointId(Paths.GROUP, 4, iteration);
    return on(new CoordinatorEvent.CommitEnded(id, DIGEST, new CommitOutcome.Committed()));
  }

  private static MemberMessage ending(int rank, long iteration) {
    return new MemberMessage.Ending(rank, 4, iteration, MemberMessage.End.CAPTURED);
  }

  @Test
  void theLastCheckpointIsSentOnWhenEveryRankHasCapturedIt() {
    begin();
    capture(50);
    on(held(0, 51, Level.DEVICE));

    assertThat(sent(ending(0, 51), Rescue.class)).isEmpty();
    assertThat(sent(held(1, 51, Level.DEVICE), Rescue.class))
        .containsExactly(new Rescue(4, 51), new Rescue(4, 51));
  }

  @Test
  void ifTheLastIterationCannotBeSealedTheOneBeforeIsTheLast() {
    begin();
    capture(50);
    on(held(0, 51, Level.DEVICE));
    on(ending(0, 51));
    MemberMessage skipped =
        new MemberMessage.GaveUp(
            1, 4, 51, Level.DEVICE, MemberMessage.GaveUp.Why.SKIPPED, "no room");

    assertThat(sent(skipped, Rescue.class)).contains(new Rescue(4, 50));
    assertThat(sent(ending(1, 50), Rescue.class)).contains(new Rescue(4, 50));
  }

  /** With a period of 7, say: each rank captured the iteration that it ended with. */
  @Test
  void ranksThatEndUnevenlyKeepTheNewestThatAllCaptured() {
    begin();
    capture(49);
    on(held(0, 51, Level.DEVICE));
    on(held(1, 52, Level.DEVICE));

    assertThat(sent(ending(0, 51), Rescue.class)).isEmpty();
    assertThat(sent(ending(1, 52), Rescue.class)).contains(new Rescue(4, 49));
  }

  @Test
  void theEndIsMarkedOnceWhenAllRanksEndedAndStoreHasIt() {
    begin();
    capture(51);
    on(ending(0, 51));
    MarkEnd mark = new MarkEnd(new CheckpointId(Paths.GROUP, 4, 51));

    assertThat(store(51)).doesNotContain(mark);
    assertThat(on(ending(1, 51))).contains(mark);
    assertThat(on(ending(1, 51))).doesNotContain(mark);
  }

  @Test
  void theEndIsMarkedIfTheLastIterationReachedStoreWithoutDevice() {
    begin();
    on(
        new MemberMessage.GaveUp(
            1, 4, 51, Level.DEVICE, MemberMessage.GaveUp.Why.SKIPPED, "no room"));
    on(ending(0, 51));
    on(ending(1, 51));

    assertThat(store(51)).contains(new MarkEnd(new CheckpointId(Paths.GROUP, 4, 51)));
  }

  /** All containers are at STORE, which took no manifest. */
  @Test
  void anEndWhoseCommitFailedIsCommittedOnceMore() {
    begin();
    capture(51);
    CheckpointId id = new CheckpointId(Paths.GROUP, 4, 51);
    CommitOutcome[] uncommitted = {
      new CommitOutcome.Failed("STORE is silent"), new CommitOutcome.Unknown("STORE is silent")
    };
    for (CommitOutcome outcome : uncommitted) {
      on(held(0, 51, Level.STORE));
      assertThat(on(held(1, 51, Level.STORE))).hasAtLeastOneElementOfType(CommitManifest.class);
      on(CoordinatorEvent.CommitEnded.uncommitted(id, outcome));
      on(ending(0, 51));
      on(ending(1, 51));
    }

    assertThat(store(51)).contains(new MarkEnd(id));
  }

  /** Else each of N ranks that try again at once would make all of them report: N times N. */
  @Test
  void aRankThatAsksForWhatAllWereToldIsAnsweredAlone() {
    begin();
    capture(51);
    on(ending(0, 51));
    on(new MemberMessage.GaveUp(1, 4, 51, Level.STORE, MemberMessage.GaveUp.Why.FAILED, "silent"));

    assertThat(sent(ending(1, 51), Rescue.class)).hasSize(2);

    assertThat(on(ending(0, 51)))
        .filteredOn(Send.class::isInstance)
        .containsExactly(new Send(0, "rank 0", new Rescue(4, 51)));
  }

  /** It closed without an end, so it sends nothing once more. */
  @Test
  void anEndThatStoreMissedIsOverOnceARankHasLeft() {
    begin();
    capture(51);
    on(new MemberMessage.Ending(0, 4, 51, MemberMessage.End.STOPPED));
    on(new MemberMessage.GaveUp(1, 4, 51, Level.STORE, MemberMessage.GaveUp.Why.FAILED, "silent"));
    on(new MemberMessage.Leave(0, 4));

    assertThat(sent(ending(1, 51), CoordinatorMessage.class))
        .containsExactly(
            new Rescue(4, 51),
            new CoordinatorMessage.Settled(
                4, 51, Level.STORE, new Outcome.Skipped("a rank has left")));
  }

  @Test
  void aRankThatStopsKeepsTheNewestAndMarksNoEnd() {
    begin();
    capture(51);
    on(ending(0, 51));

    MemberMessage stopping = new MemberMessage.Ending(1, 4, 51, MemberMessage.End.STOPPED);
    assertThat(sent(stopping, Rescue.class)).contains(new Rescue(4, 51));
    assertThat(store(51)).noneMatch(MarkEnd.class::isInstance);
    assertThat(coordinator.isOver()).isTrue();
  }

  @Test
  void ranksThatEndUnevenlyMarkNoEnd() {
    begin();
    capture(51);
    on(held(1, 52, Level.DEVICE));
    on(ending(0, 51));
    on(ending(1, 52));

    assertThat(store(51)).noneMatch(MarkEnd.class::isInstance);
  }

  /** The iteration before is no end: the training would compute the last one again. */
  @Test
  void anEndIsJudgedByItsOwnIteration() {
    begin();
    capture(50);
    capture(51);
    on(ending(0, 51));
    on(ending(1, 51));

    assertThat(store(50)).noneMatch(MarkEnd.class::isInstance);
    assertThat(coordinator.isOver()).isFalse();
    assertThat(store(51)).contains(new MarkEnd(new CheckpointId(Paths.GROUP, 4, 51)));
  }

  private void beginAfter(long iteration) {
    beginAfter(iteration, new CoordinatorEvent.EpochTaken(4));
  }

  private void beginAfter(long iteration, CoordinatorEvent.EpochTaken taken) {
    CheckpointId base = new CheckpointId(Paths.GROUP, 3, iteration);
    for (int rank = 0; rank < 2; rank++) {
      on(new MemberMessage.Join(rank, 2, "rank " + rank, new Origin("birth", 3)));
    }
    on(taken);
    for (int rank = 0; rank < 2; rank++) {
      Candidate candidate = new Candidate(base, DIGEST, Ancestry.NONE);
      on(new MemberMessage.Offer(rank, 4, List.of(candidate)));
    }
    for (int rank = 0; rank < 2; rank++) {
      on(new MemberMessage.Vote(rank, 4, base, Optional.of(Level.NODE), ""));
    }
  }

  /** The ranks found it at STORE, and computed nothing. */
  @Test
  void anEndWithWhatWasRestoredIsMarkedForThisEpoch() {
    beginAfter(51);

    assertThat(on(restored(0))).noneMatch(MarkEnd.class::isInstance);
    List<CoordinatorAction> answer = on(restored(1));

    assertThat(answer).contains(new MarkEnd(new CheckpointId(Paths.GROUP, 4, 51)));
    assertThat(answer).filteredOn(Send.class::isInstance).hasSize(2);
    assertThat(coordinator.isOver()).isTrue();
  }

  /** Another attempt may have taken the same epoch. */
  @Test
  void anEpochWithoutAClaimMarksNoEnd() {
    Standing open = new Standing(false, "", 4, List.of());
    beginAfter(51, new CoordinatorEvent.EpochTaken(4, Map.of(), true, open));
    on(restored(0));

    assertThat(on(restored(1))).noneMatch(MarkEnd.class::isInstance);
  }

  private static MemberMessage restored(int rank) {
    return new MemberMessage.Ending(rank, 4, 51, MemberMessage.End.RESTORED);
  }

  /** Their chunks are leased, say, and their lenders have not confirmed them. */
  @Test
  void anEndThatArrivesBeforeItsCaptureIsNotThatOfTheBase() {
    beginAfter(51);

    assertThat(sent(ending(0, 51), Rescue.class)).isEmpty();
    assertThat(on(ending(1, 51))).noneMatch(MarkEnd.class::isInstance);
    capture(51);
    assertThat(store(51)).contains(new MarkEnd(new CheckpointId(Paths.GROUP, 4, 51)));
  }

  /** One could not list STORE, and captured again what the other one found there. */
  @Test
  void ranksThatDisagreeAboutStoreWaitForNobody() {
    beginAfter(51);
    on(held(0, 51, Level.DEVICE));

    assertThat(sent(restored(1), Rescue.class)).isEmpty();
    assertThat(sent(ending(0, 51), Rescue.class)).contains(new Rescue(4, -1));
    assertThat(on(new MemberMessage.Leave(1, 4))).noneMatch(MarkEnd.class::isInstance);
  }

  /** STORE had lost it, so the ranks captured it again. */
  @Test
  void whatWasRestoredAndCapturedAgainIsMarkedWhenStoreHasIt() {
    beginAfter(51);
    capture(51);
    on(ending(0, 51));

    assertThat(on(ending(1, 51))).noneMatch(MarkEnd.class::isInstance);
    assertThat(store(51)).contains(new MarkEnd(new CheckpointId(Paths.GROUP, 4, 51)));
  }

  @Test
  void aRankThatComputedMoreThanWasRestoredMarksNoEnd() {
    beginAfter(51);
    capture(52);
    on(restored(0));

    assertThat(on(ending(1, 52))).noneMatch(MarkEnd.class::isInstance);
  }

  private static MemberMessage skipped(long iteration) {
    return new MemberMessage.GaveUp(
        1, 4, iteration, Level.DEVICE, MemberMessage.GaveUp.Why.SKIPPED, "no room");
  }

  @Test
  void aLastIterationThatWasGivenUpIsCapturedAgainByEveryRank() {
    begin();
    on(held(0, 51, Level.DEVICE));
    on(skipped(51));
    on(new MemberMessage.Again(1, 4, 51));
    on(new MemberMessage.Again(0, 4, 51));
    on(ending(0, 51));

    assertThat(sent(held(1, 51, Level.DEVICE), Rescue.class)).isEmpty();
    assertThat(sent(held(0, 51, Level.DEVICE), Rescue.class)).contains(new Rescue(4, 51));
  }

  @Test
  void anIterationIsCapturedAgainOnce() {
    begin();
    on(held(0, 51, Level.DEVICE));
    on(skipped(51));
    on(new MemberMessage.Again(1, 4, 51));
    assertThat(sent(skipped(51), CoordinatorMessage.Settled.class)).isNotEmpty();

    on(new MemberMessage.Again(0, 4, 51));

    assertThat(sent(ending(0, 51), Rescue.class)).isNotEmpty();
  }

  /** Rank 0 found no room first, and captures again before rank 1 finds none, either. */
  @Test
  void aRankThatStillGivesTheFirstTryUpDoesNotEndTheSecond() {
    begin();
    on(
        new MemberMessage.GaveUp(
            0, 4, 51, Level.DEVICE, MemberMessage.GaveUp.Why.SKIPPED, "no room"));
    on(new MemberMessage.Again(0, 4, 51));

    assertThat(sent(skipped(51), CoordinatorMessage.Settled.class)).isEmpty();

    on(new MemberMessage.Again(1, 4, 51));
    on(held(0, 51, Level.DEVICE));
    on(ending(0, 51));
    on(ending(1, 51));
    assertThat(sent(held(1, 51, Level.DEVICE), Rescue.class)).contains(new Rescue(4, 51));
    assertThat(store(51)).contains(new MarkEnd(new CheckpointId(Paths.GROUP, 4, 51)));
  }

  @Test
  void aRankThatLeavesAfterItsFirstTryEndsTheSecond() {
    begin();
    on(
        new MemberMessage.GaveUp(
            0, 4, 51, Level.DEVICE, MemberMessage.GaveUp.Why.SKIPPED, "no room"));
    on(new MemberMessage.Again(0, 4, 51));
    on(skipped(51));

    List<CoordinatorMessage> outcomes =
        sent(new MemberMessage.Leave(1, 4), CoordinatorMessage.Settled.class);

    assertThat(outcomes)
        .extracting(message -> ((CoordinatorMessage.Settled) message).outcome())
        .singleElement()
        .isInstanceOf(Outcome.Failed.class);
  }

  @Test
  void aRankThatLeftCapturesNothingAgain() {
    begin();
    on(held(0, 51, Level.DEVICE));
    on(skipped(51));
    on(new MemberMessage.Leave(1, 4));

    List<CoordinatorMessage> outcomes =
        sent(new MemberMessage.Again(0, 4, 51), CoordinatorMessage.Settled.class);

    assertThat(outcomes)
        .extracting(message -> ((CoordinatorMessage.Settled) message).outcome())
        .singleElement()
        .isInstanceOf(Outcome.Failed.class);
  }

  /** The queue of one rank was full. */
  @Test
  void theLastIterationIsTriedOnceMoreAtStoreByEveryRank() {
    begin();
    capture(51);
    on(held(0, 51, Level.STORE));
    on(
        new MemberMessage.GaveUp(
            1, 4, 51, Level.STORE, MemberMessage.GaveUp.Why.SKIPPED, "the queue is full"));
    on(ending(0, 51));

    assertThat(on(held(0, 51, Level.STORE))).noneMatch(CommitManifest.class::isInstance);
    assertThat(on(held(1, 51, Level.STORE))).anyMatch(CommitManifest.class::isInstance);
  }

  @Test
  void anIterationThatWasCommittedIsNotTriedAgain() {
    begin();
    capture(51);
    store(51);
    on(ending(0, 51));

    on(held(0, 51, Level.STORE));

    assertThat(on(held(1, 51, Level.STORE))).noneMatch(CommitManifest.class::isInstance);
  }

  @Test
  void aGroupWithoutRoomAtDeviceIsOrderedToSendAnIterationToCome() {
    begin();
    List<CoordinatorMessage> orders = new ArrayList<>();

    for (long iteration = 0; iteration < 20; iteration++) {
      nowNanos += SECOND;
      on(held(0, iteration, Level.DEVICE));
      orders.addAll(
          sent(
              new MemberMessage.GaveUp(
                  1, 4, iteration, Level.DEVICE, MemberMessage.GaveUp.Why.SKIPPED, "no room"),
              Promote.class));
    }

    Promote first = new Promote(4, 5, Set.of(Level.NODE, Level.STORE));
    assertThat(orders).startsWith(first, first);
    assertThat(orders).allMatch(order -> ((Promote) order).iteration() > 2);
  }

  @Test
  void aCheckpointThatCannotWaitForItsPeriodIsSentEarly() {
    begin();

    assertThat(capture(0)).isEmpty();
    on(held(0, 0, Level.NODE));
    on(held(1, 0, Level.NODE));
    for (long iteration = 1; iteration < 30; iteration++) {
      nowNanos += SECOND;
      Set<Level> early = capture(iteration);

      assertThat(early.contains(Level.NODE)).as("%d", iteration).isEqualTo(iteration % 9 == 0);
      assertThat(early).doesNotContain(Level.STORE);
      for (int rank = 0; rank < 2; rank++) {
        on(held(rank, iteration, Level.NODE));
      }
    }
  }
}
