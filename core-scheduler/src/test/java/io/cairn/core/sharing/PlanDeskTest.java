package io.cairn.core.sharing;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.Member;
import io.cairn.core.flow.FlowProblem;
import io.cairn.core.flow.FlowScheduler;
import io.cairn.core.flow.ParametricFlowScheduler;
import io.cairn.core.flow.Topology;
import io.cairn.core.sharing.PlanAnswer.Part;
import io.cairn.core.sharing.PlanAnswer.PlannedLease;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PlanDeskTest {
  private static final long CHUNK = 1 << 20;
  private static final long WINDOW = 1000;
  private static final GroupId PAIR = new GroupId("job", "pair");

  private final List<FlowProblem> solved = new ArrayList<>();
  private final PlanDesk desk = desk(new ParametricFlowScheduler(true, false));

  /** Links of 10 and hosts of 1, in units of a chunk per second. */
  private PlanDesk desk(FlowScheduler scheduler) {
    return new PlanDesk(
        new DeskTerms(WINDOW, 3, 10),
        sites -> Topology.uniform(sites.size(), 10.0 * CHUNK, CHUNK),
        problem -> {
          solved.add(problem);
          return scheduler.schedule(problem);
        });
  }

  private static void register(PlanDesk at, String... holders) {
    for (String holder : holders) {
      at.on(new DeskMessage.Registered(new HolderSite(holder, "node", 0)), 0);
    }
  }

  private static DeskMessage.Report report(
      GroupId group, int rank, int size, long epoch, long iteration, String holder, int remainder) {
    int spare = remainder == 0 ? 100 : 0;
    Member member = new Member(group, rank, size);
    return new DeskMessage.Report(member, epoch, iteration, holder, remainder, spare, CHUNK);
  }

  private static DeskMessage.Report pair(int rank, long iteration, String holder, int remainder) {
    return report(PAIR, rank, 2, 1, iteration, holder, remainder);
  }

  private static DeskMessage.Report single(String name, String holder, int remainder) {
    return report(new GroupId("job", name), 0, 1, 1, 1, holder, remainder);
  }

  private static List<PlanAnswer> answers(List<DeskAction> actions) {
    return actions.stream()
        .filter(DeskAction.Answer.class::isInstance)
        .map(action -> ((DeskAction.Answer) action).answer())
        .toList();
  }

  private static Part part(
      GroupId group, long iteration, int rank, int host, PlannedLease... shares) {
    return new Part(new CheckpointId(group, 1, iteration), rank, List.of(shares), host, "");
  }

  @Test
  void aGroupIsAnsweredWithItsLastReport() {
    register(desk, "a", "b");
    assertThat(desk.on(pair(0, 1, "a", 11), 5)).containsExactly(new DeskAction.WakeAt(1005));
    assertThat(desk.on(pair(1, 1, "b", 0), 6))
        .containsExactly(
            new DeskAction.Answer("a", part(PAIR, 1, 0, 1, new PlannedLease("b", 10))),
            new DeskAction.Answer("b", part(PAIR, 1, 1, 0)));
    assertThat(desk.waiting()).isZero();
  }

  @Test
  void aLostRankHoldsNobodyUpAndALateOneIsPlannedAlone() {
    register(desk, "a", "b", "c");
    desk.on(new DeskMessage.Spare("c", 20, CHUNK), 0);
    desk.on(pair(0, 1, "a", 11), 0);
    assertThat(answers(desk.on(new DeskEvent.Clock(), WINDOW)))
        .containsExactly(part(PAIR, 1, 0, 1, new PlannedLease("c", 10)));
    DeskMessage.Report late = pair(1, 1, "b", 11);
    assertThat(desk.on(late, WINDOW + 5)).containsExactly(new DeskAction.WakeAt(2 * WINDOW + 5));
    assertThat(desk.on(late, WINDOW + 6)).isEmpty();
    assertThat(desk.waiting()).isEqualTo(1);
    Part its = part(PAIR, 1, 1, 1, new PlannedLease("c", 10));
    assertThat(answers(desk.on(new DeskEvent.Clock(), 2 * WINDOW + 5))).containsExactly(its);
    assertThat(answers(desk.on(late, 2 * WINDOW + 6))).containsExactly(its);
    assertThat(desk.waiting()).isZero();
  }

  /** Slots promised to the others are not promised again. */
  @Test
  void aLateRankGetsWhatTheOthersLeft() {
    register(desk, "a", "b", "c");
    desk.on(new DeskMessage.Spare("c", 12, CHUNK), 0);
    desk.on(pair(0, 1, "a", 11), 0);
    desk.on(new DeskEvent.Clock(), WINDOW);
    desk.on(pair(1, 1, "b", 11), WINDOW + 1);
    assertThat(answers(desk.on(new DeskEvent.Clock(), 2 * WINDOW + 1)))
        .containsExactly(part(PAIR, 1, 1, 9, new PlannedLease("c", 2)));
  }

  @Test
  void aRemainderWhoseLenderIsLostIsPlannedToAnother() {
    register(desk, "a", "b", "c");
    desk.on(new DeskMessage.Spare("b", 4, CHUNK), 0);
    desk.on(single("x", "a", 4), 0);
    assertThat(answers(desk.on(new DeskEvent.Clock(), WINDOW)))
        .extracting(answer -> ((Part) answer).leases())
        .containsExactly(List.of(new PlannedLease("b", 4)));

    desk.on(new DeskMessage.Spare("c", 4, CHUNK), WINDOW);
    desk.on(new DeskMessage.Spare("b", 0, CHUNK), WINDOW);
    desk.on(single("x", "a", 4), WINDOW);

    assertThat(answers(desk.on(new DeskEvent.Clock(), 2 * WINDOW)))
        .extracting(answer -> ((Part) answer).leases())
        .containsExactly(List.of(new PlannedLease("c", 4)));
  }

  /** The slots at the lender that lives are written already. */
  @Test
  void theOtherSlotsOfARankThatLostALenderStayPromised() {
    register(desk, "a", "b", "c", "d", "e");
    desk.on(new DeskMessage.Spare("b", 4, CHUNK), 0);
    desk.on(new DeskMessage.Spare("c", 4, CHUNK), 0);
    desk.on(single("x", "a", 8), 0);
    desk.on(new DeskEvent.Clock(), WINDOW);
    desk.on(new DeskMessage.Spare("d", 4, CHUNK), WINDOW);
    desk.on(new DeskMessage.Spare("b", 0, CHUNK), WINDOW);
    desk.on(single("x", "a", 4), WINDOW);
    assertThat(answers(desk.on(new DeskEvent.Clock(), 2 * WINDOW)))
        .extracting(answer -> ((Part) answer).leases())
        .containsExactly(List.of(new PlannedLease("d", 4)));

    desk.on(single("y", "e", 4), 2 * WINDOW);

    assertThat(answers(desk.on(new DeskEvent.Clock(), 3 * WINDOW)))
        .extracting(answer -> ((Part) answer).leases())
        .containsExactly(List.of());
  }

  @Test
  void theNextWindowWaitsForARankThatWasLate() {
    register(desk, "a", "b", "c");
    desk.on(pair(0, 1, "a", 11), 0);
    desk.on(new DeskEvent.Clock(), WINDOW);
    desk.on(pair(1, 1, "b", 11), 3 * WINDOW);
    desk.on(new DeskEvent.Clock(), 4 * WINDOW);

    desk.on(pair(0, 2, "a", 11), 10 * WINDOW);
    List<PlanAnswer> early = answers(desk.on(new DeskEvent.Clock(), 11 * WINDOW));
    List<PlanAnswer> together = answers(desk.on(pair(1, 2, "b", 11), 13 * WINDOW));

    assertThat(early).isEmpty();
    assertThat(together).hasSize(2);
  }

  /** It lags behind by a whole checkpoint, and its group goes on without it. */
  @Test
  void aRankThatLagsIsRefusedInItsOldWindowWhenItsEpochEnds() {
    register(desk, "a", "b", "c");
    desk.on(pair(0, 2, "a", 11), 0);
    desk.on(new DeskEvent.Clock(), WINDOW);
    desk.on(pair(1, 1, "b", 11), WINDOW + 1);
    assertThat(answers(desk.on(report(PAIR, 0, 2, 2, 3, "a", 11), WINDOW + 2)))
        .singleElement()
        .isInstanceOf(PlanAnswer.Refused.class);
    assertThat(desk.waiting()).isEqualTo(1);
  }

  @Test
  void aRepeatedReportIsAnsweredAsItWas() {
    register(desk, "a", "b");
    desk.on(pair(0, 1, "a", 11), 0);
    desk.on(pair(0, 1, "a", 11), 1);
    assertThat(desk.waiting()).isEqualTo(1);
    List<PlanAnswer> first = answers(desk.on(pair(1, 1, "b", 0), 2));
    assertThat(answers(desk.on(pair(0, 1, "a", 11), 3))).containsExactly(first.get(0));
    assertThat(solved).hasSize(1);
  }

  @Test
  void groupsOfOneShareAWindowAndAProblem() {
    register(desk, "a", "b", "c");
    desk.on(new DeskMessage.Spare("c", 20, CHUNK), 0);
    desk.on(single("x", "a", 11), 0);
    desk.on(single("y", "b", 11), 500);
    assertThat(answers(desk.on(new DeskEvent.Clock(), WINDOW)))
        .containsExactly(
            part(new GroupId("job", "x"), 1, 0, 1, new PlannedLease("c", 10)),
            part(new GroupId("job", "y"), 1, 0, 1, new PlannedLease("c", 10)));
    assertThat(solved).hasSize(1);
  }

  /** Its remainders add up, and its ranks take from its transfers one after the other. */
  @Test
  void ranksOfOneHolderSplitItsPlan() {
    register(desk, "a", "b");
    desk.on(new DeskMessage.Spare("b", 100, CHUNK), 0);
    desk.on(pair(0, 1, "a", 6), 0);
    List<PlanAnswer> answers = answers(desk.on(pair(1, 1, "a", 16), 1));
    assertThat(solved.get(0).remainderBytes(0)).isEqualTo(22 * CHUNK);
    assertThat(answers)
        .extracting(answer -> answer instanceof Part p ? total(p) : -1)
        .containsExactly(6, 16);
    assertThat(answers)
        .extracting(answer -> answer instanceof Part p ? p.hostChunks() : -1)
        .satisfies(host -> assertThat(host.get(0) + host.get(1)).isEqualTo(2));
  }

  private static int total(Part part) {
    return part.hostChunks() + part.leases().stream().mapToInt(PlannedLease::chunks).sum();
  }

  @Test
  void whatIsPlannedCountsAsUsedUntilItsRankReportsAgainOrIsGone() {
    register(desk, "a", "b", "c");
    desk.on(new DeskMessage.Spare("b", 10, CHUNK), 0);
    desk.on(single("x", "a", 6), 0);
    desk.on(new DeskEvent.Clock(), WINDOW);
    int planned = total(part(desk, single("x", "a", 6)));
    assertThat(planned).isEqualTo(6);
    desk.on(new DeskMessage.Spare("b", 10, CHUNK), 2 * WINDOW);
    desk.on(single("y", "c", 11), 2 * WINDOW);
    desk.on(new DeskEvent.Clock(), 4 * WINDOW);
    long left = solved.get(1).spareBytes(1);
    assertThat(left).isLessThan(10 * CHUNK);
    DeskMessage.Report next = report(new GroupId("job", "x"), 0, 1, 1, 2, "a", 6);
    desk.on(next, 5 * WINDOW);
    desk.on(new DeskEvent.Clock(), 7 * WINDOW);
    desk.on(new DeskEvent.Gone("a"), 7 * WINDOW);
    desk.on(new DeskEvent.Gone("c"), 7 * WINDOW);
    register(desk, "d");
    desk.on(single("z", "d", 11), 7 * WINDOW);
    desk.on(new DeskEvent.Clock(), 9 * WINDOW);
    assertThat(solved.get(3).spareBytes(0)).isEqualTo(10 * CHUNK);
  }

  /** It was only silent, and its borrowers still have its slots. */
  @Test
  void whatWasPlannedOnALenderCountsWhenItRegistersAgain() {
    register(desk, "a", "b");
    desk.on(new DeskMessage.Spare("b", 10, CHUNK), 0);
    desk.on(single("x", "a", 6), 0);
    desk.on(new DeskEvent.Clock(), WINDOW);
    int lent = 6 - part(desk, single("x", "a", 6)).hostChunks();
    desk.on(new DeskEvent.Gone("b"), 2 * WINDOW);

    register(desk, "b", "c");
    desk.on(new DeskMessage.Spare("b", 10, CHUNK), 2 * WINDOW);
    desk.on(single("y", "c", 11), 2 * WINDOW);
    desk.on(new DeskEvent.Clock(), 4 * WINDOW);

    assertThat(lent).isPositive();
    assertThat(solved.get(1).spareBytes(1)).isEqualTo((10 - lent) * CHUNK);
  }

  /** The answer that a rank gets to a repeated report. */
  private Part part(PlanDesk at, DeskMessage.Report again) {
    return (Part) answers(at.on(again, WINDOW + 1)).get(0);
  }

  /** Ranks of a group wait for each other longer than groups of one do. */
  @Test
  void aGroupsWindowIsItsOwn() {
    PlanDesk patient =
        new PlanDesk(
            new DeskTerms(WINDOW, 10 * WINDOW, 3, 10),
            holders -> Topology.builder(holders.size()).linkAll(1e9).host(1e8).build(),
            new ParametricFlowScheduler(true, false));
    register(patient, "a", "b");
    patient.on(pair(0, 1, "a", 4), 0);
    assertThat(answers(patient.on(single("x", "b", 0), 1))).isEmpty();
    assertThat(answers(patient.on(new DeskEvent.Clock(), 2 * WINDOW))).hasSize(1);
    assertThat(answers(patient.on(pair(1, 1, "b", 0), 3 * WINDOW))).hasSize(2);
    patient.on(pair(0, 2, "a", 4), 4 * WINDOW);
    assertThat(answers(patient.on(new DeskEvent.Clock(), 14 * WINDOW))).as("it follows").isEmpty();
    assertThat(answers(patient.on(new DeskEvent.Clock(), 28 * WINDOW))).hasSize(1);
  }

  @Test
  void whereNothingRemainsNothingIsSolved() {
    register(desk, "a", "b");
    desk.on(pair(0, 1, "a", 0), 0);
    assertThat(answers(desk.on(pair(1, 1, "b", 0), 1)))
        .containsExactly(part(PAIR, 1, 0, 0), part(PAIR, 1, 1, 0));
    assertThat(solved).isEmpty();
  }

  @Test
  void withoutAPlanAllGoesToTheHostAndTheAnswerSaysWhy() {
    PlanDesk isolated =
        new PlanDesk(
            new DeskTerms(WINDOW, 3, 10),
            sites -> Topology.builder(sites.size()).build(),
            new ParametricFlowScheduler(true, false));
    register(isolated, "a", "b");
    assertReason(isolated, "there is no plan: devices [0] have");
    PlanDesk broken =
        desk(
            problem -> {
              throw new IllegalStateException("out of its depth");
            });
    register(broken, "a", "b");
    assertReason(broken, "the plan failed: java.lang.IllegalStateException: out of its depth");
    assertReason(
        desk(new ParametricFlowScheduler(true, false)),
        "the plan failed: java.lang.IllegalStateException: no holder is registered");
  }

  private static void assertReason(PlanDesk at, String reason) {
    at.on(pair(0, 1, "a", 3), 0);
    Part part = (Part) answers(at.on(pair(1, 1, "b", 0), 1)).get(0);
    assertThat(part.hostChunks()).isEqualTo(3);
    assertThat(part.reason()).startsWith(reason);
  }

  @Test
  void whoIsGoneIsPlannedNothingAndHoldsNobodyUp() {
    register(desk, "a", "b", "c");
    desk.on(new DeskMessage.Spare("c", 100, CHUNK), 0);
    desk.on(pair(0, 1, "b", 5), 0);
    desk.on(new DeskEvent.Gone("b"), 1);
    desk.on(new DeskEvent.Gone("c"), 1);
    List<PlanAnswer> answers = answers(desk.on(pair(1, 1, "a", 11), 2));
    assertThat(((Part) answers.get(0)).reason()).isEqualTo("its holder b is not registered");
    assertThat(answers.get(1)).isEqualTo(part(PAIR, 1, 1, 11));
  }

  @Test
  void olderEpochsAreRefusedAlsoThoseThatWait() {
    register(desk, "a", "b");
    desk.on(report(PAIR, 0, 2, 1, 9, "a", 4), 0);
    List<DeskAction> actions = desk.on(report(PAIR, 0, 2, 2, 1, "a", 4), 1);
    assertThat(answers(actions))
        .containsExactly(
            new PlanAnswer.Refused(
                new CheckpointId(PAIR, 1, 9), 0, "epoch 1 is over, the group is in epoch 2"));
    assertThat(answers(desk.on(report(PAIR, 1, 2, 1, 9, "b", 4), 2)))
        .allMatch(PlanAnswer.Refused.class::isInstance)
        .hasSize(1);
    assertThat(desk.waiting()).isEqualTo(1);
  }

  /** The event that ends a window may itself say that an epoch is over. */
  /** Without authentication anybody may send one. */
  @Test
  void aReportOfAnEpochThatNoGroupReachesEndsNobody() {
    register(desk, "a", "b");
    desk.on(pair(0, 1, "a", 11), 0);

    assertThat(answers(desk.on(report(PAIR, 1, 2, CheckpointId.MAX_EPOCH, 1, "b", 0), 1)))
        .singleElement()
        .satisfies(answer -> assertThat(answer.toString()).contains("so many epochs"));

    assertThat(answers(desk.on(pair(1, 1, "b", 0), 2)))
        .containsExactly(part(PAIR, 1, 0, 1, new PlannedLease("b", 10)), part(PAIR, 1, 1, 0));
  }

  @Test
  void aWindowThatEndsWithALaterEpochPlansNothingForTheOlder() {
    register(desk, "a", "b");
    desk.on(report(PAIR, 0, 2, 1, 9, "a", 4), 0);
    assertThat(answers(desk.on(report(PAIR, 0, 2, 2, 1, "a", 4), WINDOW)))
        .hasSize(1)
        .allMatch(PlanAnswer.Refused.class::isInstance);
  }

  @Test
  void theOldestWindowGivesWay() {
    register(desk, "a", "b");
    for (int iteration = 1; iteration <= 3; iteration++) {
      desk.on(pair(0, iteration, "a", 1), iteration);
    }
    Part given = (Part) answers(desk.on(pair(0, 4, "a", 1), 4)).get(0);
    assertThat(given.checkpoint().iteration()).isEqualTo(1);
    assertThat(given.reason()).isEqualTo("too many reports wait for plans");
    assertThat(desk.waiting()).isEqualTo(3);
    for (int single = 0; single < 20; single++) {
      desk.on(single("s" + single, "a", 1), 5);
      assertThat(desk.waiting()).isLessThanOrEqualTo(10);
    }
  }

  /** A report counts more chunks than a lease has. */
  @Test
  void noLeaseIsLargerThanLeasesAre() {
    register(desk, "a", "b");
    desk.on(pair(0, 1, "a", 11_000_000), 0);
    Member other = new Member(PAIR, 1, 2);
    assertThat(answers(desk.on(new DeskMessage.Report(other, 1, 1, "b", 0, 3_000_000, CHUNK), 1)))
        .contains(part(PAIR, 1, 0, 10_000_000, new PlannedLease("b", 1_000_000)));
  }

  @Test
  void aReportThatContradictsItsGroupGoesToTheHost() {
    register(desk, "a", "b");
    desk.on(pair(0, 1, "a", 1), 0);
    Part part = (Part) answers(desk.on(report(PAIR, 1, 3, 1, 1, "b", 2), 1)).get(0);
    assertThat(part.hostChunks()).isEqualTo(2);
    assertThat(part.reason()).contains("another size");
  }

  static LongStream seeds() {
    return LongStream.range(0, 100);
  }

  /** Each part is what was reported, and no lender gets more than it has. */
  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void partsAddUp(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int holders = random.nextInt(2, 12);
    int size = random.nextInt(2, 30);
    PlanDesk many =
        new PlanDesk(
            new DeskTerms(WINDOW, 3, 100),
            sites -> Topology.uniform(sites.size(), 10, 1),
            new ParametricFlowScheduler(true, false));
    register(many, IntStream.range(0, holders).mapToObj(h -> "h" + h).toArray(String[]::new));
    int[] spare = random.ints(holders, 0, 40).toArray();
    boolean[] sends = new boolean[holders];
    int[] remainder = new int[size];
    List<PlanAnswer> answers = List.of();
    for (int rank = 0; rank < size; rank++) {
      int holder = random.nextInt(holders);
      remainder[rank] = random.nextBoolean() ? 0 : random.nextInt(30);
      sends[holder] |= remainder[rank] > 0;
      Member member = new Member(PAIR, rank, size);
      answers =
          answers(
              many.on(
                  new DeskMessage.Report(
                      member, 1, 1, "h" + holder, remainder[rank], spare[holder], CHUNK),
                  rank));
    }
    assertThat(answers).as("seed %d", seed).hasSize(size);
    Map<String, Integer> received = new HashMap<>();
    for (PlanAnswer answer : answers) {
      Part part = (Part) answer;
      assertThat(total(part)).as("seed %d, %s", seed, part).isEqualTo(remainder[part.rank()]);
      part.leases().forEach(s -> received.merge(s.lender(), s.chunks(), Integer::sum));
    }
    for (int holder = 0; holder < holders; holder++) {
      assertThat(received.getOrDefault("h" + holder, 0))
          .as("seed %d, holder %d", seed, holder)
          .isLessThanOrEqualTo(sends[holder] ? 0 : spare[holder]);
    }
  }
}
