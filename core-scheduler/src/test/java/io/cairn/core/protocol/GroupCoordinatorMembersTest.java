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
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.protocol.CoordinatorAction.ClaimEpoch;
import io.cairn.core.protocol.CoordinatorAction.CommitManifest;
import io.cairn.core.protocol.CoordinatorAction.Send;
import io.cairn.core.protocol.CoordinatorMessage.Fenced;
import io.cairn.core.protocol.CoordinatorMessage.Joined;
import io.cairn.core.protocol.CoordinatorMessage.Settled;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Members that leave, and members and epochs that others replace. */
class GroupCoordinatorMembersTest {
  private static final Digest DIGEST = Digest.of("index".getBytes(UTF_8));

  private static final Origin ORIGIN = new Origin("birth", 0);

  private GroupCoordinator coordinator = coordinator();

  private static GroupCoordinator coordinator() {
    return new GroupCoordinator(
        Paths.GROUP, 2, CadencePolicy.fixed(CadencePlan.every(1, 10, 50)), Duration.ofMinutes(30));
  }

  private List<CoordinatorAction> on(CoordinatorEvent event) {
    return coordinator.on(event, 0);
  }

  private List<CoordinatorAction> join(int rank, String incarnation) {
    return on(new MemberMessage.Join(rank, 2, incarnation, ORIGIN));
  }

  private void begin(long epoch) {
    on(new CoordinatorEvent.EpochTaken(epoch));
    for (int rank = 0; rank < 2; rank++) {
      on(new MemberMessage.Offer(rank, epoch, List.of()));
    }
  }

  private void beginBoth() {
    join(0, "a");
    join(1, "b");
    begin(4);
  }

  private List<CoordinatorAction> held(int rank, long iteration, Level level) {
    ContainerSummary container =
        new ContainerSummary("writer-" + rank + ".chunks", 1, DIGEST, List.of(rank));
    return on(
        new MemberMessage.Held(rank, 4, iteration, level, List.of(container), Measurement.NONE));
  }

  private List<CoordinatorAction> committed(long epoch, long iteration) {
    return on(
        new CoordinatorEvent.CommitEnded(
            new CheckpointId(Paths.GROUP, epoch, iteration),
            DIGEST,
            new CommitOutcome.Committed()));
  }

  @Test
  void iterationsAfterTheLastOfARankThatLeftFailAtOnce() {
    beginBoth();
    held(1, 6, Level.DEVICE);
    held(0, 7, Level.DEVICE);

    assertThat(on(new MemberMessage.Leave(1, 4)))
        .contains(new Send(0, "a", failed(7, Level.DEVICE)));
    assertThat(held(0, 8, Level.DEVICE)).contains(new Send(0, "a", failed(8, Level.DEVICE)));
  }

  private static Settled failed(long iteration, Level level) {
    return new Settled(
        4, iteration, level, new Outcome.Failed("rank 1 left before this iteration"));
  }

  @Test
  void aRankThatLeftMayStillFlushItsLastIteration() {
    beginBoth();
    held(1, 7, Level.DEVICE);
    on(new MemberMessage.Leave(1, 4));

    assertThat(held(0, 7, Level.STORE)).isEmpty();
    assertThat(held(1, 7, Level.STORE)).hasAtLeastOneElementOfType(CommitManifest.class);
  }

  @Test
  void aRankWhoseRestoreFailedEndsTheOthers() {
    join(0, "a");
    join(1, "b");
    on(new CoordinatorEvent.EpochTaken(4));
    on(new MemberMessage.Offer(0, 4, List.of()));

    assertThat(on(new MemberMessage.Withdraw(1, "b", true)))
        .contains(new Send(0, "a", new Fenced("rank 1 left, since its restore failed")));
    assertThat(coordinator.isEmpty()).isTrue();
  }

  /** Nothing was resumed, so nothing is to be rolled back. */
  @Test
  void membersAwaitARankThatIsLostBeforeTheAgreement() {
    List<CoordinatorEvent> losses =
        List.of(
            new MemberMessage.Leave(1, 4),
            new MemberMessage.Withdraw(1, "b", false),
            new MemberMessage.Withdraw(1, "another", true));
    for (CoordinatorEvent loss : losses) {
      coordinator = coordinator();
      join(0, "a");
      join(1, "b");
      on(new CoordinatorEvent.EpochTaken(4));
      on(new MemberMessage.Offer(0, 4, List.of()));

      assertThat(on(loss)).as("%s", loss).noneMatch(GroupCoordinatorMembersTest::isFenced);
      List<CoordinatorAction> again = join(1, "c");
      assertThat(again).contains(new ClaimEpoch(Map.of(0, new Origin("birth", 4), 1, ORIGIN)));
      assertThat(again).noneMatch(action -> isFenced(action) && ((Send) action).rank() == 0);
      assertThat(on(new CoordinatorEvent.EpochTaken(5)))
          .filteredOn(action -> action instanceof Send send && send.message() instanceof Joined)
          .extracting(action -> ((Send) action).incarnation())
          .containsExactly("a", "c");
    }
  }

  private static final Origin OTHER = new Origin("birth in another store", 0);

  private static MemberMessage.Join stranger(int rank, String incarnation) {
    return new MemberMessage.Join(rank, 2, incarnation, OTHER);
  }

  private static Send refused(CoordinatorEvent.BirthFound found, int rank, String incarnation) {
    return new Send(
        rank, incarnation, new CoordinatorMessage.Refused(found.refusal(Paths.GROUP, rank)));
  }

  @Test
  void aRankWithAnotherStoreEndsNothingAndIsRefusedAlone() {
    CoordinatorEvent.BirthFound found = new CoordinatorEvent.BirthFound("birth", "file:/here");
    beginBoth();

    assertThat(on(stranger(1, "s"))).containsExactly(new CoordinatorAction.FindBirth());
    assertThat(on(stranger(1, "s"))).as("it is asked once").isEmpty();
    assertThat(on(found)).containsExactly(refused(found, 1, "s"));

    held(0, 7, Level.DEVICE);
    assertThat(held(1, 7, Level.DEVICE)).as("the group goes on").isNotEmpty();
  }

  @Test
  void aRankWithAnotherStoreReplacesNobodyWhoWaits() {
    CoordinatorEvent.BirthFound found = new CoordinatorEvent.BirthFound("birth", "file:/here");
    join(1, "b");
    on(stranger(1, "s"));
    assertThat(on(found)).containsExactly(refused(found, 1, "s"));

    assertThat(join(0, "a")).contains(new ClaimEpoch(Map.of(0, ORIGIN, 1, ORIGIN)));
  }

  @Test
  void aRankWithAnotherStoreThatCameFirstKeepsNobodyOut() {
    CoordinatorEvent.BirthFound found = new CoordinatorEvent.BirthFound("birth", "file:/here");
    on(stranger(1, "s"));
    assertThat(join(0, "a")).containsExactly(new CoordinatorAction.FindBirth());

    assertThat(on(found)).contains(refused(found, 1, "s"));
    assertThat(join(1, "b")).contains(new ClaimEpoch(Map.of(0, ORIGIN, 1, ORIGIN)));
  }

  @Test
  void theMembersOfAGroupWhoseDirectoryWasDeletedAreOver() {
    beginBoth();
    on(stranger(1, "s"));

    assertThat(on(new CoordinatorEvent.BirthFound(OTHER.birth(), "file:/here")))
        .filteredOn(GroupCoordinatorMembersTest::isFenced)
        .extracting(action -> ((Send) action).incarnation())
        .containsExactly("a", "b");
    assertThat(on(stranger(0, "t"))).contains(new ClaimEpoch(Map.of(0, OTHER, 1, OTHER)));
  }

  @Test
  void aJoinThatIsSetAsideAndGivenUpLeavesNothing() {
    join(0, "a");
    on(stranger(1, "s"));
    on(new MemberMessage.Withdraw(1, "s", false));
    on(new MemberMessage.Withdraw(0, "a", false));

    assertThat(coordinator.isEmpty()).isTrue();
    assertThat(on(new CoordinatorEvent.BirthFound(OTHER.birth(), "file:/here"))).isEmpty();
  }

  /** Else the group begins with the first of two claims, and the second one fences it. */
  @Test
  void ranksThatReplaceOthersAwaitTheClaimUnderWay() {
    join(0, "a");
    join(1, "b");
    on(stranger(0, "s"));
    on(new CoordinatorEvent.BirthFound(OTHER.birth(), "file:/here"));

    assertThat(on(stranger(1, "t"))).doesNotHaveAnyElementsOfTypes(ClaimEpoch.class);
    assertThat(coordinator.isEmpty()).isFalse();
    assertThat(on(new CoordinatorEvent.EpochTaken(4)))
        .containsExactly(new ClaimEpoch(Map.of(0, OTHER, 1, OTHER)));
    assertThat(on(new CoordinatorEvent.EpochTaken(5)))
        .filteredOn(action -> action instanceof Send send && send.message() instanceof Joined)
        .extracting(action -> ((Send) action).incarnation())
        .containsExactly("s", "t");
  }

  @Test
  void aRefusedClaimConcernsThoseAloneThatItWasFor() {
    join(0, "a");
    join(1, "b");
    join(1, "c");

    assertThat(on(new CoordinatorEvent.EpochRefused("rank 1 has another store")))
        .containsExactly(new ClaimEpoch(Map.of(0, ORIGIN, 1, ORIGIN)));
  }

  private static boolean isFenced(CoordinatorAction action) {
    return action instanceof Send send && send.message() instanceof Fenced;
  }

  @Test
  void aReplacedAttemptDoesNotReturn() {
    join(0, "a");
    join(0, "retry of a");

    assertThat(join(0, "a")).containsExactly(new Send(0, "a", new Fenced("this member is over")));
  }

  @Test
  void ranksWhoseClaimWasRefusedClaimAgain() {
    join(0, "a");
    join(1, "b");
    on(new CoordinatorEvent.EpochRefused("the store is away"));

    join(0, "c");

    assertThat(join(1, "d")).hasAtLeastOneElementOfType(ClaimEpoch.class);
  }

  @Test
  void aSupersededEpochFencesItsMembers() {
    beginBoth();

    assertThat(on(new CoordinatorEvent.Superseded(4, "epoch 5 began elsewhere")))
        .containsExactly(
            new Send(0, "a", new Fenced("epoch 5 began elsewhere")),
            new Send(1, "b", new Fenced("epoch 5 began elsewhere")));
  }

  @Test
  void theEndOfAnEarlierEpochFencesNobody() {
    beginBoth();

    assertThat(on(new CoordinatorEvent.Superseded(3, "epoch 4 began"))).isEmpty();
  }

  @Test
  void aCommitOfAnEarlierEpochSettlesNothing() {
    beginBoth();

    assertThat(committed(3, 50)).isEmpty();
  }
}
