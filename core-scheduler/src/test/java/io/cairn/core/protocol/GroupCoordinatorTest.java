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
import io.cairn.core.model.CheckpointManifest.Parent;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.protocol.CoordinatorAction.CommitManifest;
import io.cairn.core.protocol.CoordinatorAction.Send;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Single stories; that they hold in any order of events is for {@link GroupSimulationTest}. */
class GroupCoordinatorTest {
  private static final Digest DIGEST = Digest.of("index".getBytes(UTF_8));
  private static final CheckpointId BASE = new CheckpointId(Paths.GROUP, 3, 40);

  private final GroupCoordinator coordinator =
      new GroupCoordinator(
          Paths.GROUP,
          2,
          CadencePolicy.fixed(CadencePlan.every(1, 10, 50)),
          Duration.ofMinutes(30));
  private final List<CoordinatorAction> actions = new ArrayList<>();

  @Test
  void anEpochBeginsWhenEveryRankHasJoined() {
    assertThat(join(0, "a")).noneMatch(Send.class::isInstance);
    assertThat(join(1, "b"))
        .containsExactly(new CoordinatorAction.ClaimEpoch(Map.of(0, origin(0), 1, origin(1))));
    assertThat(on(new CoordinatorEvent.EpochTaken(4)))
        .containsExactly(joined(0, "a", 4), joined(1, "b", 4));
  }

  @Test
  void anEpochBelongsToThoseItWasClaimedFor() {
    join(0, "a");
    join(1, "b");
    join(1, "c");
    assertThat(on(new CoordinatorEvent.EpochTaken(4)))
        .containsExactly(new CoordinatorAction.ClaimEpoch(Map.of(0, origin(0), 1, origin(1))));
    assertThat(on(new CoordinatorEvent.EpochTaken(5)))
        .containsExactly(joined(0, "a", 5), joined(1, "c", 5));
  }

  @Test
  void eachMemberReceivesItsSurveyUntilTheGroupHasAgreed() {
    RankSurvey survey =
        new RankSurvey(
            List.of(
                new RankHolding(BASE, 0, Optional.empty(), List.of(), "damaged", Proof.DAMAGE)));
    CadencePlan cadence = CadencePlan.every(1, 10, 50);
    join(0, "a");
    join(1, "b");

    assertThat(on(new CoordinatorEvent.EpochTaken(4, Map.of(1, survey), true)))
        .containsExactly(
            joined(0, "a", 4),
            new Send(1, "b", new CoordinatorMessage.Joined(4, cadence, Optional.of(survey))));
    assertThat(join(1, "b"))
        .as("its join arrived again")
        .containsExactly(
            new Send(1, "b", new CoordinatorMessage.Joined(4, cadence, Optional.of(survey))));
    on(new MemberMessage.Offer(0, 4, List.of()));
    on(new MemberMessage.Offer(1, 4, List.of()));
    assertThat(join(1, "b")).containsExactly(joined(1, "b", 4));
  }

  @Test
  void aLaterAttemptEndsTheEpochForAll() {
    begin();
    on(new MemberMessage.Offer(0, 4, List.of()));
    on(new MemberMessage.Offer(1, 4, List.of()));
    assertThat(join(1, "c")).extracting(GroupCoordinatorTest::who).containsExactly("a", "b");
    assertThat(actions)
        .last()
        .extracting(GroupCoordinatorTest::message)
        .asString()
        .contains("Fenced");
  }

  @Test
  void aJoinOfAMemberThatIsOverChangesNothing() {
    begin();
    on(new MemberMessage.Offer(0, 4, List.of()));
    on(new MemberMessage.Offer(1, 4, List.of()));
    join(1, "c");
    join(0, "d");
    on(new CoordinatorEvent.EpochTaken(5));
    assertThat(join(0, "a")).extracting(GroupCoordinatorTest::who).containsExactly("a");
    assertThat(actions)
        .last()
        .isEqualTo(new Send(0, "a", new CoordinatorMessage.Fenced("this member is over")));
    assertThat(offer(0, 5)).isEmpty();
    assertThat(offer(1, 5)).extracting(GroupCoordinatorTest::who).containsExactly("d", "c");
  }

  @Test
  void aJoinOfOneThatLeftDoesNotEndTheEpochOfTheOthers() {
    begin();
    on(new MemberMessage.Leave(0, 4));
    assertThat(join(0, "a")).extracting(GroupCoordinatorTest::who).containsExactly("a");
  }

  /** A checkpoint that was withdrawn after its seal cannot be rescued; the one before can. */
  @Test
  void theNewestThatIsStillAtDeviceIsRescued() {
    begin();
    for (long iteration = 50; iteration < 52; iteration++) {
      heldAtDevice(0, iteration);
      heldAtDevice(1, iteration);
    }
    assertThat(rescued()).containsOnly(new CoordinatorMessage.Rescue(4, 51));
    on(
        new MemberMessage.GaveUp(
            1, 4, 51, Level.DEVICE, MemberMessage.GaveUp.Why.FAILED, "its lender died"));
    assertThat(rescued()).containsOnly(new CoordinatorMessage.Rescue(4, 50));
    on(
        new MemberMessage.GaveUp(
            1, 4, 50, Level.DEVICE, MemberMessage.GaveUp.Why.FAILED, "its lender died"));
    assertThat(rescued()).containsOnly(new CoordinatorMessage.Rescue(4, -1));
  }

  private void heldAtDevice(int rank, long iteration) {
    on(new MemberMessage.Held(rank, 4, iteration, Level.DEVICE, List.of(), Measurement.NONE));
  }

  private List<CoordinatorMessage> rescued() {
    return on(new MemberMessage.Endangered(0, 4)).stream()
        .map(GroupCoordinatorTest::message)
        .toList();
  }

  @Test
  void aProposalIsSentOnce() {
    begin();
    offer(0, 4);
    offer(1, 4);
    assertThat(actions).contains(new Send(0, "a", new CoordinatorMessage.Verify(4, BASE)));
    assertThat(vote(0, "")).isEmpty();
    assertThat(vote(0, "")).isEmpty();
    assertThat(vote(1, ""))
        .extracting(GroupCoordinatorTest::message)
        .allSatisfy(
            message ->
                assertThat(message)
                    .isEqualTo(
                        new CoordinatorMessage.Resume(
                            4,
                            Optional.of(BASE),
                            Optional.of(new Parent(BASE, DIGEST)),
                            Ancestry.NONE.continuedFrom(BASE),
                            "")));
  }

  @Test
  void oneRefusalStrikesAProposalOut() {
    begin();
    offer(0, 4);
    offer(1, 4);
    vote(0, "");
    assertThat(vote(1, "a checksum differs"))
        .extracting(GroupCoordinatorTest::message)
        .contains(
            new CoordinatorMessage.Resume(
                4,
                Optional.empty(),
                Optional.empty(),
                Ancestry.NONE,
                "e3-i40 refused by rank 1: a checksum differs"));
  }

  @Test
  void aCheckpointThatAllRanksHoldIsCommittedThenSealed() {
    resumed();
    assertThat(held(0, 50)).isEmpty();
    List<CoordinatorAction> commit = held(1, 50);
    assertThat(commit).hasSize(1).first().isInstanceOf(CommitManifest.class);
    assertThat(((CommitManifest) commit.get(0)).manifest().parent())
        .contains(new Parent(BASE, DIGEST));
    assertThat(committed(50))
        .contains(new Send(0, "a", settled(50, new Outcome.Sealed(Level.STORE))));
  }

  @Test
  void anOlderOneIsNotCommittedAfterANewer() {
    resumed();
    held(0, 100);
    held(1, 100);
    committed(100);
    held(0, 50);
    assertThat(held(1, 50))
        .contains(
            new Send(
                0,
                "a",
                settled(
                    50, new Outcome.Skipped("a newer checkpoint was sealed at STORE before it"))));
  }

  @Test
  void theParentIsTheNewestInAnyOrderOfCommits() {
    resumed();
    held(0, 50);
    held(1, 50);
    held(0, 100);
    held(1, 100);
    committed(100);
    committed(50);
    held(0, 150);
    CommitManifest commit = (CommitManifest) held(1, 150).get(0);
    assertThat(commit.manifest().parent()).map(Parent::id).contains(id(100));
  }

  private List<CoordinatorAction> on(CoordinatorEvent event) {
    List<CoordinatorAction> actions = coordinator.on(event, 0);
    this.actions.addAll(actions);
    return actions;
  }

  private static Origin origin(int rank) {
    return new Origin("birth", 10 + rank);
  }

  private List<CoordinatorAction> join(int rank, String incarnation) {
    return on(new MemberMessage.Join(rank, 2, incarnation, origin(rank)));
  }

  private void begin() {
    join(0, "a");
    join(1, "b");
    on(new CoordinatorEvent.EpochTaken(4));
  }

  private void resumed() {
    begin();
    offer(0, 4);
    offer(1, 4);
    vote(0, "");
    vote(1, "");
  }

  private List<CoordinatorAction> offer(int rank, long epoch) {
    Candidate candidate = new Candidate(BASE, DIGEST, Ancestry.NONE);
    return on(new MemberMessage.Offer(rank, epoch, List.of(candidate)));
  }

  private List<CoordinatorAction> vote(int rank, String refusal) {
    return on(new MemberMessage.Vote(rank, 4, BASE, Optional.of(Level.STORE), refusal));
  }

  private List<CoordinatorAction> held(int rank, long iteration) {
    ContainerSummary container =
        new ContainerSummary("writer-" + rank + ".chunks", 1, DIGEST, List.of(rank));
    return on(
        new MemberMessage.Held(
            rank, 4, iteration, Level.STORE, List.of(container), Measurement.NONE));
  }

  private List<CoordinatorAction> committed(long iteration) {
    return on(
        new CoordinatorEvent.CommitEnded(id(iteration), DIGEST, new CommitOutcome.Committed()));
  }

  private static CheckpointId id(long iteration) {
    return new CheckpointId(Paths.GROUP, 4, iteration);
  }

  private static CoordinatorMessage settled(long iteration, Outcome outcome) {
    return new CoordinatorMessage.Settled(4, iteration, Level.STORE, outcome);
  }

  private static Send joined(int rank, String incarnation, long epoch) {
    return new Send(
        rank, incarnation, new CoordinatorMessage.Joined(epoch, CadencePlan.every(1, 10, 50)));
  }

  private static String who(CoordinatorAction action) {
    return ((Send) action).incarnation();
  }

  private static CoordinatorMessage message(CoordinatorAction action) {
    return ((Send) action).message();
  }
}
