package io.cairn.spark.ranks;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.core.wire.StandbyReply;
import io.cairn.core.wire.StandbyRequest;
import io.cairn.core.wire.Wire;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The desk's answers, one situation each. An executor {@code e1} has task 1, and so on. */
class StandbyDeskTest {
  private static final int STAGE = 3;
  private static final StandbyReply END = new StandbyReply.End();

  private final StandbyDesk desk = new StandbyDesk(1);
  private final String run = desk.begin(2);

  StandbyDeskTest() {
    desk.runs(run, 6);
    desk.submitted(STAGE, List.of(5, 6));
  }

  private static String executor(long task) {
    return "e" + task;
  }

  private CompletableFuture<byte[]> send(StandbyRequest request) {
    return desk.answer(request).toCompletableFuture();
  }

  private CompletableFuture<byte[]> alive(long task, long number) {
    return send(new StandbyRequest.Alive(executor(task), number, List.of(task)));
  }

  private CompletableFuture<byte[]> ask(long task, int partition) {
    return ask(task, partition, "m");
  }

  private CompletableFuture<byte[]> ask(long task, int partition, String machine) {
    return send(new StandbyRequest.Ask(executor(task), machine, run, partition, task, true));
  }

  private boolean done(long task, int rank, long term) {
    StandbyRequest done = new StandbyRequest.Done(executor(task), run, task, rank, term);
    return ((StandbyReply.Counted) reply(send(done))).counts();
  }

  private void ended(long task, boolean succeeded) {
    desk.ended(STAGE, task, succeeded);
  }

  private static StandbyReply reply(CompletableFuture<byte[]> answer) {
    assertThat(answer).isDone();
    return Wire.decode(answer.join(), StandbyReply.class);
  }

  private static StandbyReply train(int rank, long term) {
    return new StandbyReply.Train(rank, term);
  }

  /** Tasks 1 and 2 train ranks 0 and 1; their signs of life. */
  private List<CompletableFuture<byte[]>> bothTrain() {
    CompletableFuture<byte[]> first = alive(1, 1);
    CompletableFuture<byte[]> second = alive(2, 1);
    assertThat(reply(ask(1, 0))).isEqualTo(train(0, 1));
    assertThat(reply(ask(2, 1))).isEqualTo(train(1, 1));
    return List.of(first, second);
  }

  private CompletableFuture<byte[]> waits(long task, int partition) {
    return waits(task, partition, "m");
  }

  private CompletableFuture<byte[]> waits(long task, int partition, String machine) {
    var unused = alive(task, 1);
    CompletableFuture<byte[]> waiting = ask(task, partition, machine);
    assertThat(waiting).isNotDone();
    return waiting;
  }

  @Test
  void anEndedConnectionOrdersTheStandbyAtOnce() {
    List<CompletableFuture<byte[]>> signs = bothTrain();
    CompletableFuture<byte[]> standby = waits(3, 2);
    assertThat(desk.waiting()).isEqualTo(1);

    signs.get(1).cancel(false);

    assertThat(reply(standby)).isEqualTo(train(1, 2));
    assertThat(desk.waiting()).isZero();
    assertThat(desk.takeovers()).isEqualTo(1);
  }

  @Test
  void aSilentTaskKeepsItsRank() {
    bothTrain();
    CompletableFuture<byte[]> standby = waits(3, 2);

    var unused = alive(3, 2);

    assertThat(standby).isNotDone();
  }

  @Test
  void ofTwoDeathsWithOneStandbyTheSecondWaitsForTheNextTask() {
    List<CompletableFuture<byte[]>> signs = bothTrain();
    CompletableFuture<byte[]> standby = waits(3, 2);

    signs.get(0).cancel(false);
    signs.get(1).cancel(false);

    assertThat(reply(standby)).isEqualTo(train(0, 2));
    var unused = alive(4, 1);
    assertThat(reply(ask(4, 0))).isEqualTo(train(1, 2));
    assertThat(reply(ask(4, 0))).isEqualTo(train(1, 2));
    desk.end(run);
    assertThat(desk.takeovers()).isEqualTo(2);
  }

  @Test
  void theDeathOfTheNewOwnerOrdersTheNextStandby() {
    List<CompletableFuture<byte[]>> signs = bothTrain();
    CompletableFuture<byte[]> sign = alive(3, 1);
    CompletableFuture<byte[]> first = ask(3, 2);
    CompletableFuture<byte[]> second = waits(4, 3);

    signs.get(0).cancel(false);
    assertThat(reply(first)).isEqualTo(train(0, 2));
    sign.cancel(false);

    assertThat(reply(second)).isEqualTo(train(0, 3));
  }

  @Test
  void aDeadStandbyIsNotOrdered() {
    List<CompletableFuture<byte[]>> signs = bothTrain();
    CompletableFuture<byte[]> sign = alive(3, 1);
    CompletableFuture<byte[]> dead = ask(3, 2);

    sign.cancel(false);
    signs.get(0).cancel(false);

    assertThat(dead).isNotDone();
    var unused = alive(4, 1);
    assertThat(reply(ask(4, 2))).isEqualTo(train(0, 2));
  }

  @Test
  void aStandbyOnTheSameMachineComesFirst() {
    List<CompletableFuture<byte[]>> signs = bothTrain();
    CompletableFuture<byte[]> far = waits(3, 2, "other");
    CompletableFuture<byte[]> near = waits(4, 3, "m");

    signs.get(0).cancel(false);

    assertThat(far).isNotDone();
    assertThat(reply(near)).isEqualTo(train(0, 2));
  }

  @Test
  void aRepeatedQuestionHasTheSameAnswer() {
    List<CompletableFuture<byte[]>> signs = bothTrain();
    var waiting = waits(3, 2);
    signs.get(0).cancel(false);

    assertThat(reply(waiting)).isEqualTo(train(0, 2));
    assertThat(reply(ask(3, 2))).isEqualTo(train(0, 2));
    assertThat(done(3, 0, 2)).isTrue();
    assertThat(done(3, 0, 2)).isTrue();
  }

  @Test
  void anOrderThatMeetsNoOpenQuestionIsTheAnswerToTheNext() {
    List<CompletableFuture<byte[]>> signs = bothTrain();
    CompletableFuture<byte[]> lost = waits(3, 2);
    lost.cancel(false);

    signs.get(0).cancel(false);

    assertThat(reply(ask(3, 2))).isEqualTo(train(0, 2));
  }

  @Test
  void theResultOfAReplacedTaskDoesNotCount() {
    List<CompletableFuture<byte[]>> signs = bothTrain();
    var unused = waits(3, 2);
    signs.get(0).cancel(false);

    assertThat(done(1, 0, 1)).isFalse();
    assertThat(done(3, 0, 2)).isTrue();
  }

  @Test
  void aTaskThatReconnectsKeepsARankThatNobodyTook() {
    List<CompletableFuture<byte[]>> signs = bothTrain();
    signs.get(0).cancel(false);

    CompletableFuture<byte[]> again = alive(1, 2);

    var unused = waits(3, 2);
    assertThat(again).isNotDone();
    assertThat(done(1, 0, 1)).isTrue();
  }

  @Test
  void aTaskThatReconnectsLearnsThatItIsReplaced() {
    List<CompletableFuture<byte[]>> signs = bothTrain();
    var unused = waits(3, 2);
    signs.get(0).cancel(false);

    assertThat(reply(alive(1, 2))).isEqualTo(new StandbyReply.Replaced(List.of(1L)));
    assertThat(ask(1, 0)).as("it is the next standby").isNotDone();
    assertThat(alive(1, 3)).isNotDone();
  }

  @Test
  void onlyTheNewestSignCounts() {
    List<CompletableFuture<byte[]>> signs = bothTrain();
    CompletableFuture<byte[]> standby = waits(3, 2);
    CompletableFuture<byte[]> newer = alive(1, 2);

    signs.get(0).cancel(false);
    assertThat(reply(alive(1, 1))).isEqualTo(new StandbyReply.Replaced(List.of()));
    assertThat(standby).isNotDone();

    newer.cancel(false);
    assertThat(reply(standby)).isEqualTo(train(0, 2));
  }

  @Test
  void aTaskWithoutASignOfItsExecutorGetsNoRank() {
    assertThat(reply(ask(1, 0))).isEqualTo(new StandbyReply.Wait());
    var unused = alive(1, 1);
    assertThat(reply(ask(1, 0))).isEqualTo(train(0, 1));
  }

  @Test
  void standbysEndWhenAllRanksAreDone() {
    bothTrain();
    CompletableFuture<byte[]> standby = waits(3, 2);

    assertThat(done(1, 0, 1)).isTrue();
    assertThat(standby).isNotDone();
    assertThat(done(2, 1, 1)).isTrue();

    assertThat(reply(standby)).isEqualTo(END);
    assertThat(reply(ask(3, 2))).isEqualTo(END);
  }

  @Test
  void standbysEndWithTheirStage() {
    bothTrain();
    CompletableFuture<byte[]> standby = waits(3, 2);

    desk.end(run);

    assertThat(reply(standby)).isEqualTo(END);
    assertThat(reply(ask(3, 2))).isEqualTo(END);
  }

  @Test
  void aResultThatSparkLostIsTrainedAgain() {
    bothTrain();
    assertThat(done(1, 0, 1)).isTrue();
    CompletableFuture<byte[]> standby = waits(3, 2);

    ended(1, false);

    assertThat(reply(standby)).isEqualTo(train(0, 2));
  }

  @Test
  void aResultIsTrainedAgainWhenItsPartitionRunsAgain() {
    bothTrain();
    assertThat(done(1, 0, 1)).isTrue();
    assertThat(done(2, 1, 1)).isTrue();
    var unused = alive(4, 1);

    assertThat(reply(ask(4, 0))).as("before Spark says that task 1 failed").isEqualTo(train(0, 2));
  }

  @Test
  void aResultThatSparkHasStays() {
    bothTrain();
    assertThat(done(1, 0, 1)).isTrue();
    ended(1, true);
    CompletableFuture<byte[]> standby = waits(3, 2);

    desk.gone(executor(1));
    ended(1, false);

    assertThat(standby).isNotDone();
  }

  @Test
  void aFailedTaskLeavesItsRankToTheStandby() {
    bothTrain();
    CompletableFuture<byte[]> standby = waits(3, 2);

    ended(2, false);

    assertThat(reply(standby)).isEqualTo(train(1, 2));
  }

  @Test
  void anExecutorThatSparkRemovedIsGoneWithoutTheEndOfAConnection() {
    bothTrain();
    CompletableFuture<byte[]> standby = waits(3, 2);

    desk.gone(executor(2));

    assertThat(reply(standby)).isEqualTo(train(1, 2));
  }

  /** Spark has removed an executor whose process and connection live. */
  @Test
  void aTaskThatSparkHasEndedGetsNoRank() {
    List<CompletableFuture<byte[]>> signs = bothTrain();
    ended(1, false);
    assertThat(reply(ask(1, 0))).isEqualTo(END);
    assertThat(done(1, 0, 1)).isFalse();

    signs.get(1).cancel(false);
    assertThat(reply(ask(1, 0))).isEqualTo(END);
    var unused = alive(4, 1);
    assertThat(reply(ask(4, 0))).isEqualTo(train(0, 2));
  }

  @Test
  void aTaskThatSparkHasEndedIsToldSo() {
    List<CompletableFuture<byte[]>> signs = bothTrain();
    CompletableFuture<byte[]> standby = waits(3, 2);
    ended(1, false);
    assertThat(reply(standby)).isEqualTo(train(0, 2));
    assertThat(reply(signs.get(0))).isEqualTo(new StandbyReply.Replaced(List.of(1L)));
  }

  @Test
  void aStandbyThatDiedWaitsNoMore() {
    bothTrain();
    CompletableFuture<byte[]> standby = waits(3, 2);
    desk.gone(executor(3));
    assertThat(desk.waiting()).isZero();
    assertThat(standby).isNotDone();
  }

  /** An application may run for weeks beside the stage. */
  @Test
  void tasksOfOtherStagesAreNotKept() {
    bothTrain();
    for (int task = 100; task < 200; task++) {
      desk.submitted(task, List.of(task));
      desk.ended(task, task, true);
    }
    assertThat(desk.endedTasks()).isZero();
    ended(1, false);
    ended(9, false); // which never asked

    assertThat(desk.endedTasks()).isEqualTo(2);
    var unused = alive(9, 1);
    assertThat(reply(ask(9, 0))).as("its process lives").isEqualTo(END);
  }

  /** Spark runs a stage again under its number. */
  @Test
  void aStageThatIsSubmittedAgainIsTheSame() {
    bothTrain();
    desk.submitted(STAGE, List.of(5, 6));
    CompletableFuture<byte[]> standby = waits(3, 2);

    ended(2, false);

    assertThat(reply(standby)).isEqualTo(train(1, 2));
  }
}
