package io.cairn.core.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.Level;
import io.cairn.core.cadence.AdaptiveSettings;
import io.cairn.core.cadence.CadencePlan;
import io.cairn.core.cadence.CadencePolicy;
import io.cairn.core.cadence.CadenceReport;
import io.cairn.core.cadence.CadenceSearch;
import io.cairn.core.cadence.Learned;
import io.cairn.core.cadence.Measurement;
import io.cairn.core.cadence.PeriodBound;
import io.cairn.core.model.Ancestry;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.protocol.CoordinatorAction.CommitManifest;
import io.cairn.core.protocol.CoordinatorAction.ReportCadence;
import io.cairn.core.protocol.CoordinatorAction.SearchCadence;
import io.cairn.core.protocol.CoordinatorAction.Send;
import io.cairn.core.protocol.CoordinatorMessage.CadenceDecided;
import io.cairn.core.protocol.CoordinatorMessage.CadencePlanned;
import io.cairn.core.protocol.CoordinatorMessage.Joined;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How two ranks come to another cadence. */
class GroupCoordinatorCadenceTest {
  private static final Set<Level> LEVELS = Set.of(Level.DEVICE, Level.NODE, Level.STORE);
  private static final CadencePlan START = CadencePlan.every(1, 2, 4);
  private static final Map<Level, Long> BETTER =
      Map.of(Level.DEVICE, 1L, Level.NODE, 5L, Level.STORE, 20L);
  private static final long SECOND = 1_000_000_000L;
  private static final CheckpointId LAST = new CheckpointId(Paths.GROUP, 1, 8);

  private final GroupCoordinator coordinator =
      new GroupCoordinator(
          Paths.GROUP,
          2,
          CadencePolicy.adaptive(AdaptiveSettings.defaults(LEVELS), START),
          Duration.ofMinutes(30));
  private final List<CoordinatorAction> done = new ArrayList<>();
  private long epoch;
  private long nowNanos = 7 * SECOND;
  private long commitNanos;

  private List<CoordinatorAction> on(CoordinatorEvent event) {
    List<CoordinatorAction> actions = coordinator.on(event, nowNanos);
    done.addAll(actions);
    return actions;
  }

  private void begin(String first, String second) {
    on(new MemberMessage.Join(0, 2, first, new Origin("birth", 0)));
    on(new MemberMessage.Join(1, 2, second, new Origin("birth", 0)));
    on(new CoordinatorEvent.EpochTaken(++epoch));
  }

  private void afresh() {
    begin("a", "b");
    on(new MemberMessage.Offer(0, epoch, List.of()));
    on(new MemberMessage.Offer(1, epoch, List.of()));
  }

  /** Both ranks do iterations of 2 seconds, all of which go everywhere. */
  private void train(long from, long to) {
    for (long iteration = from; iteration < to; iteration++) {
      nowNanos += 2 * SECOND;
      for (Level level : List.of(Level.STORE, Level.NODE, Level.DEVICE)) {
        for (int rank = 0; rank < 2; rank++) {
          Measurement measured =
              level == Level.DEVICE
                  ? new Measurement(SECOND / 100, 0, 2 * SECOND, Set.of())
                  : new Measurement(0, SECOND, 0, Set.of());
          on(new MemberMessage.Held(
                  rank, epoch, iteration, level, List.of(container(rank)), measured))
              .forEach(this::commit);
        }
      }
    }
  }

  private void commit(CoordinatorAction action) {
    if (action instanceof CommitManifest asked) {
      nowNanos += commitNanos;
      on(
          new CoordinatorEvent.CommitEnded(
              asked.manifest().id(), Digest.of(new byte[1]), new CommitOutcome.Committed()));
    }
  }

  private static ContainerSummary container(int rank) {
    Digest digest = Digest.of("index".getBytes(StandardCharsets.UTF_8));
    return new ContainerSummary("writer-" + rank + ".chunks", 1, digest, List.of(rank));
  }

  private CadenceSearch search() {
    return done.stream()
        .filter(SearchCadence.class::isInstance)
        .map(action -> ((SearchCadence) action).search())
        .reduce((older, newer) -> newer)
        .orElseThrow();
  }

  private CadencePlan proposed() {
    List<CoordinatorAction> actions =
        on(
            new CoordinatorEvent.CadenceFound(
                search(), new CadenceSearch.Found(0.2, Optional.of(BETTER)), 0));
    assertThat(actions).hasSize(2);
    return ((CadencePlanned) ((Send) actions.get(0)).message()).plan();
  }

  private List<CoordinatorAction> vote(int rank, CadencePlan plan, boolean inTime) {
    return on(new MemberMessage.CadenceVote(rank, epoch, plan.version(), inTime));
  }

  private Send sent(int rank, String incarnation, CoordinatorMessage message) {
    return new Send(rank, incarnation, message);
  }

  @Test
  void anEpochReportsThePlanThatItBeginsWith() {
    afresh();

    assertThat(report().plan()).isEqualTo(START);
    assertThat(report().bounds()).containsEntry(Level.STORE, PeriodBound.START);
    assertThat(report().learned()).isEmpty();
  }

  @Test
  void aReportHasTheMeasurementsOfItsPlan() {
    afresh();

    train(0, 9);

    assertThat(report().learned().orElseThrow().iterationSeconds()).isEqualTo(2);
  }

  @Test
  void theLatencyOfStoreEndsWithTheCommit() {
    afresh();
    commitNanos = 3 * SECOND;

    train(0, 9);

    assertThat(report().learned().orElseThrow().costs())
        .containsEntry(Level.NODE, new Learned.Cost(0, 1, 0))
        .containsEntry(Level.STORE, new Learned.Cost(0, 1 + 3, 0));
  }

  @Test
  void aPlanThatAllKnowInTimeComesIntoForceAndOutlivesTheEpoch() {
    afresh();
    train(0, 9);
    CadencePlan plan = proposed();
    assertThat(plan.periods()).isEqualTo(BETTER);
    assertThat(plan.fromIteration()).isGreaterThanOrEqualTo(8 + 2);
    assertThat(vote(0, plan, true)).isEmpty();
    assertThat(vote(1, plan, true))
        .startsWith(
            sent(0, "a", new CadenceDecided(1, plan.version(), true)),
            sent(1, "b", new CadenceDecided(1, plan.version(), true)))
        .last()
        .isInstanceOf(ReportCadence.class);
    begin("a2", "b2");
    assertThat(done).endsWith(sent(1, "b2", new Joined(2, plan.fromTheStart())));
  }

  @Test
  void aPlanThatOneLearnsOfTooLateDoesNot() {
    afresh();
    train(0, 9);
    CadencePlan plan = proposed();
    assertThat(vote(1, plan, false))
        .containsExactly(
            sent(0, "a", new CadenceDecided(1, plan.version(), false)),
            sent(1, "b", new CadenceDecided(1, plan.version(), false)));
    assertThat(vote(0, plan, true)).isEmpty();
    begin("a2", "b2");
    assertThat(done).endsWith(sent(1, "b2", new Joined(2, START)));
  }

  /** A version that was withdrawn means nothing to ranks any more. */
  @Test
  void thePlanAfterAWithdrawnOneHasALaterVersion() {
    afresh();
    train(0, 9);
    CadencePlan withdrawn = proposed();
    vote(1, withdrawn, false);
    train(9, 13);
    assertThat(proposed().version()).isGreaterThan(withdrawn.version());
  }

  @Test
  void aRankThatLeavesEndsTheBallot() {
    afresh();
    train(0, 9);
    CadencePlan plan = proposed();
    assertThat(on(new MemberMessage.Leave(0, epoch)))
        .contains(sent(1, "b", new CadenceDecided(1, plan.version(), false)));
    assertThat(vote(1, plan, true)).isEmpty();
  }

  @Test
  void aSearchOfAnEndedEpochIsDropped() {
    afresh();
    train(0, 9);
    CadenceSearch old = search();
    begin("a2", "b2");
    assertThat(
            on(
                new CoordinatorEvent.CadenceFound(
                    old, new CadenceSearch.Found(0.2, Optional.of(BETTER)), 0)))
        .isEmpty();
  }

  @Test
  void aSearchThatTakesLongIsNotRepeatedSoon() {
    afresh();
    train(0, 9);
    on(
        new CoordinatorEvent.CadenceFound(
            search(), new CadenceSearch.Found(0.2, Optional.empty()), SECOND));
    done.clear();
    begin("a2", "b2");
    on(new MemberMessage.Offer(0, epoch, List.of()));
    on(new MemberMessage.Offer(1, epoch, List.of()));
    train(0, 40);
    assertThat(done).noneMatch(SearchCadence.class::isInstance);
  }

  @Test
  void goingBackCountsAsWasteAndAsAFailure() {
    afresh();
    train(0, 9);
    on(
        new CoordinatorEvent.CadenceFound(
            search(), new CadenceSearch.Found(0.2, Optional.empty()), 0));
    train(9, 13);
    double before = report().achievedSoFar();
    CheckpointId id = new CheckpointId(Paths.GROUP, 1, 8);
    Candidate candidate =
        new Candidate(id, Digest.of("m".getBytes(StandardCharsets.UTF_8)), Ancestry.NONE);
    begin("a2", "b2");
    nowNanos += 30 * SECOND;
    for (int rank = 0; rank < 2; rank++) {
      on(new MemberMessage.Offer(rank, epoch, List.of(candidate)));
    }
    on(new MemberMessage.Vote(0, epoch, id, Optional.of(Level.NODE), ""));
    on(new MemberMessage.Vote(1, epoch, id, Optional.of(Level.STORE), ""));
    train(9, 17);
    assertThat(before).isLessThan(0.2);
    // 4 of 12 iterations after the first prediction were done twice, and 30 seconds passed
    assertThat(report().achievedSoFar()).isGreaterThan(0.4);
  }

  @Test
  void aCoordinatorBeginsWithWhatAnEarlierOneLearned() {
    on(new CoordinatorEvent.Remembered(learned(), Optional.of(LAST)));

    afresh();

    CadencePlan begun = new CadencePlan(0, 0, BETTER);
    assertThat(done).contains(sent(1, "b", new Joined(1, begun)));
    train(0, 9);
    assertThat(kept().seconds()).isGreaterThan(learned().seconds());
    assertThat(kept().failures()).isEqualTo(learned().failures());
  }

  /** No coordinator saw the end of the earlier training, so its process was lost. */
  @Test
  void aTrainingThatDidNotEndInOrderCountsAsAFailure() {
    on(new CoordinatorEvent.Remembered(learned(), Optional.empty()));

    resumeAfter(() -> {});

    assertThat(kept().failures()).isEqualTo(Map.of(Level.NODE, 3));
  }

  /** It was closed, after its last checkpoint was captured. */
  @Test
  void aCheckpointThatStoreKnowsAsTheEndWasFollowedByNoFailure() {
    on(new CoordinatorEvent.Remembered(learned(), Optional.of(LAST)));

    resumeAfter(() -> on(new CoordinatorEvent.Recalled(learned(), LAST, false)));

    assertThat(kept().failures()).isEqualTo(learned().failures());
  }

  /** The checkpoint that the ranks resume from knows a failure that STORE does not. */
  @Test
  void whatAManifestKeptCountsBeforeTheVote() {
    on(
        new CoordinatorEvent.Remembered(
            learned(), Optional.of(new CheckpointId(Paths.GROUP, 1, 4))));
    Learned newer =
        new Learned(BETTER, Map.of(), 5600, 2, Map.of(Level.NODE, 5), learned().costs());

    resumeAfter(() -> on(new CoordinatorEvent.Recalled(newer, LAST, false)));

    assertThat(kept().failures()).isEqualTo(Map.of(Level.NODE, 6));
    assertThat(kept().seconds()).isGreaterThanOrEqualTo(5600);
  }

  /** Two ranks resume from {@link #LAST}, and train. */
  private void resumeAfter(Runnable beforeTheVotes) {
    Candidate candidate =
        new Candidate(LAST, Digest.of("m".getBytes(StandardCharsets.UTF_8)), Ancestry.NONE);
    epoch = 1;
    begin("a", "b");
    for (int rank = 0; rank < 2; rank++) {
      on(new MemberMessage.Offer(rank, epoch, List.of(candidate)));
    }
    beforeTheVotes.run();
    for (int rank = 0; rank < 2; rank++) {
      on(new MemberMessage.Vote(rank, epoch, LAST, Optional.of(Level.NODE), ""));
    }
    train(9, 14);
  }

  private static Learned learned() {
    return new Learned(
        BETTER,
        Map.of(),
        5000,
        2,
        Map.of(Level.NODE, 2),
        Map.of(Level.STORE, new Learned.Cost(0, 1, 0)));
  }

  /** The measurements of the newest manifest that was to be committed. */
  private Learned kept() {
    return done.stream()
        .filter(CommitManifest.class::isInstance)
        .map(action -> ((CommitManifest) action).learned().orElseThrow())
        .reduce((older, newer) -> newer)
        .orElseThrow();
  }

  private CadenceReport report() {
    return done.stream()
        .filter(ReportCadence.class::isInstance)
        .map(action -> ((ReportCadence) action).report())
        .reduce((older, newer) -> newer)
        .orElseThrow();
  }
}
