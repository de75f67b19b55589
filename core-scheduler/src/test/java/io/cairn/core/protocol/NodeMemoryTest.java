package io.cairn.core.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.Digest;
import io.cairn.Level;
import io.cairn.core.cadence.CadencePlan;
import io.cairn.core.cadence.CadencePolicy;
import io.cairn.core.cadence.Measurement;
import io.cairn.core.model.Ancestry;
import io.cairn.core.protocol.CoordinatorAction.NoteNodeSeal;
import io.cairn.core.protocol.CoordinatorAction.ReportTrouble;
import io.cairn.core.protocol.CoordinatorAction.Send;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A group of two ranks on the machines a and b, in virtual time. */
class NodeMemoryTest {
  private static final long MILLIS = TimeUnit.MILLISECONDS.toNanos(1);
  private static final Digest DIGEST = Digest.of(new byte[0]);

  private final GroupCoordinator coordinator = coordinator(2);
  private long now = 1_000 * MILLIS;
  private int incarnations;

  private static GroupCoordinator coordinator(int size) {
    return new GroupCoordinator(
        Paths.GROUP,
        size,
        CadencePolicy.fixed(CadencePlan.every(1, 10, 50)),
        Duration.ofMinutes(30));
  }

  private static CheckpointId id(long epoch, long iteration) {
    return new CheckpointId(Paths.GROUP, epoch, iteration);
  }

  private List<CoordinatorAction> on(CoordinatorEvent event) {
    return on(coordinator, event);
  }

  private List<CoordinatorAction> on(GroupCoordinator to, CoordinatorEvent event) {
    return to.on(event, now);
  }

  /** Both ranks join at these nodes; what they are told. */
  private List<Optional<NodeSeal.Copy>> begin(
      GroupCoordinator of, long epoch, String first, String second) {
    for (int rank = 0; rank < 2; rank++) {
      on(
          of,
          new MemberMessage.Join(
              rank, 2, "i" + incarnations++, new Origin("birth", 0, rank == 0 ? first : second)));
    }
    return on(of, new CoordinatorEvent.EpochTaken(epoch)).stream()
        .map(action -> ((Send) action).message())
        .map(CoordinatorMessage.Joined.class::cast)
        .map(CoordinatorMessage.Joined::atNode)
        .toList();
  }

  private List<Optional<NodeSeal.Copy>> begin(long epoch) {
    return begin(coordinator, epoch, "a:/node", "b:/node");
  }

  /** Both ranks resume from a checkpoint of the epoch before, or start afresh. */
  private List<String> resume(long epoch, long iteration, boolean... outOfReach) {
    List<CoordinatorAction> done = new ArrayList<>();
    List<Candidate> candidates =
        iteration < 0
            ? List.of()
            : List.of(new Candidate(id(epoch - 1, iteration), DIGEST, Ancestry.NONE));
    for (int rank = 0; rank < 2; rank++) {
      boolean lacks = outOfReach.length > 0 && outOfReach[rank];
      done.addAll(on(new MemberMessage.Offer(rank, epoch, candidates, lacks)));
    }
    for (int rank = 0; rank < 2 && iteration >= 0; rank++) {
      done.addAll(
          on(
              new MemberMessage.Vote(
                  rank, epoch, id(epoch - 1, iteration), Optional.of(Level.STORE), "")));
    }
    return done.stream()
        .filter(ReportTrouble.class::isInstance)
        .map(action -> ((ReportTrouble) action).reason())
        .toList();
  }

  /** Both ranks hold an iteration at a level; what is noted at STORE. */
  private List<NodeSeal> seal(long epoch, long iteration, Level level) {
    List<CoordinatorAction> done = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      done.addAll(
          on(new MemberMessage.Held(rank, epoch, iteration, level, List.of(), Measurement.NONE)));
    }
    return done.stream()
        .filter(NoteNodeSeal.class::isInstance)
        .map(action -> ((NoteNodeSeal) action).seal())
        .toList();
  }

  private List<NodeSeal> seal(long epoch, long iteration) {
    return seal(epoch, iteration, Level.NODE);
  }

  @Test
  void ranksThatJoinAgainLearnWhatIsAtTheirNodes() {
    assertThat(begin(1)).containsOnly(Optional.empty());
    resume(1, -1);
    now += 7_420 * MILLIS;
    seal(1, 370);

    assertThat(begin(coordinator, 2, "a:/node", "c:/node"))
        .containsExactly(
            Optional.of(new NodeSeal.Copy(id(1, 370), "a:/node", 20 * MILLIS)),
            Optional.of(new NodeSeal.Copy(id(1, 370), "b:/node", 20 * MILLIS)));
  }

  @Test
  void workThatIsLostIsReportedOnceWithItsPlace() {
    begin(1);
    resume(1, -1);
    seal(1, 370);
    begin(coordinator, 2, "a:/node", "c:/node");

    assertThat(resume(2, 1, false, true))
        .containsExactly("e1-i370 at b:/node is out of reach; 369 iterations are done again");
  }

  @Test
  void aGroupThatStartsAfreshAfterAllLosesAllOfIt() {
    begin(1);
    resume(1, -1);
    seal(1, 0);
    begin(2);

    assertThat(resume(2, -1, true, true))
        .containsExactly("e1-i0 at a:/node, b:/node is out of reach; 1 iteration is done again");
  }

  /** A rank rolls back on purpose, or another one has the reason. */
  @Test
  void nothingIsReportedIfNoRankLacksACopyThatItWants() {
    begin(1);
    resume(1, -1);
    seal(1, 370);
    begin(2);

    assertThat(resume(2, 300)).isEmpty();
  }

  @Test
  void nothingIsKnownOfNodesThatNobodyReads() {
    begin(coordinator, 1, "a:/node", "");
    resume(1, -1);
    assertThat(seal(1, 370)).isEmpty();

    assertThat(begin(2)).containsOnly(Optional.empty());
  }

  @Test
  void otherLevelsAreNotNoted() {
    begin(1);
    resume(1, -1);

    assertThat(seal(1, 10, Level.DEVICE)).isEmpty();
    assertThat(seal(1, 10, Level.PEER)).isEmpty();
  }

  /** What it notes, another coordinator begins with. */
  @Test
  void aLaterCoordinatorRemembers() {
    begin(1);
    resume(1, -1);
    NodeSeal noted = seal(1, 370).get(0);
    GroupCoordinator later = coordinator(2);
    on(later, new CoordinatorEvent.NodeSealFound(noted));

    assertThat(begin(later, 2, "c:/node", "d:/node"))
        .extracting(copy -> copy.orElseThrow().node())
        .containsExactly("a:/node", "b:/node");
  }

  @Test
  void anOlderNoteChangesNothing() {
    begin(1);
    resume(1, -1);
    seal(1, 370);
    on(new CoordinatorEvent.NodeSealFound(new NodeSeal(id(1, 40), List.of("x", "y"), 1)));

    assertThat(begin(2)).extracting(copy -> copy.orElseThrow().id()).containsOnly(id(1, 370));
  }

  /** Its ranks have other data. */
  @Test
  void aGroupOfAnotherSizeIsToldNothing() {
    on(new CoordinatorEvent.NodeSealFound(new NodeSeal(id(1, 40), List.of("a", "b", "c"), 1)));

    assertThat(begin(2)).containsOnly(Optional.empty());
  }

  @Test
  void thePausesBetweenNotesDouble() {
    begin(1);
    resume(1, -1);
    List<Long> noted = new ArrayList<>();
    for (long iteration = 0; iteration < 60_000; iteration++) { // of a millisecond each
      if (!seal(1, iteration).isEmpty()) {
        noted.add(iteration);
      }
      now += MILLIS;
    }

    assertThat(noted)
        .startsWith(0L, 250L, 750L, 1_750L, 3_750L, 7_750L, 15_750L, 31_750L, 47_750L)
        .hasSize(9);
  }

  /** Else the next restore would find nothing newer noted than STORE has. */
  @Test
  void theFirstSealAfterACommitIsNotedAtOnce() {
    begin(1);
    resume(1, -1);
    assertThat(seal(1, 0)).hasSize(1);
    assertThat(seal(1, 10)).isEmpty();
    assertThat(seal(1, 20)).isEmpty();
    on(new CoordinatorEvent.CommitEnded(id(1, 20), DIGEST, new CommitOutcome.Committed()));

    assertThat(seal(1, 30)).extracting(NodeSeal::id).containsExactly(id(1, 30));
    assertThat(seal(1, 40)).isEmpty();
  }
}
