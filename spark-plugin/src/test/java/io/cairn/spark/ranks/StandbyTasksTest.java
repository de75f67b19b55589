package io.cairn.spark.ranks;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.core.wire.StandbyReply;
import io.cairn.core.wire.StandbyRequest;
import io.cairn.core.wire.StandbyRequest.Alive;
import io.cairn.core.wire.Wire;
import io.cairn.engine.coordination.Exchange;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The signs of life of an executor, to a driver that this test plays. */
class StandbyTasksTest {
  private static final long PATIENCE_SECONDS = 60;

  private record Sent(StandbyRequest request, CompletableFuture<byte[]> answer) {
    Alive alive() {
      return (Alive) request;
    }

    void answer(StandbyReply reply) {
      answer.complete(Wire.encode(reply));
    }
  }

  private final BlockingQueue<Sent> sent = new LinkedBlockingQueue<>();
  private final StandbyTasks tasks =
      new StandbyTasks(
          "e",
          "m",
          new Exchange() {
            @Override
            public CompletionStage<byte[]> ask(byte[] request) {
              CompletableFuture<byte[]> answer = new CompletableFuture<>();
              sent.add(new Sent(Wire.decode(request, StandbyRequest.class), answer));
              return answer;
            }
          });

  @AfterEach
  void close() {
    tasks.close();
  }

  private Sent next() throws InterruptedException {
    Sent next = sent.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    assertThat(next).as("a request").isNotNull();
    return next;
  }

  @Test
  void anEnteringTaskSendsASignBeforeItAsks() throws Exception {
    tasks.enter(7);
    var unused = tasks.ask("run", 0, 7, true);

    assertThat(next().request()).isEqualTo(new Alive("e", 1, List.of(7L)));
    assertThat(next().request()).isEqualTo(new StandbyRequest.Ask("e", "m", "run", 0, 7, true));
  }

  /** So that the driver has one open at every moment. */
  @Test
  void theNextSignComesBeforeTheLastIsAnswered() throws Exception {
    tasks.enter(7);

    assertThat(next().alive().number()).isEqualTo(1);
    assertThat(next().alive().number()).isEqualTo(2);
  }

  @Test
  void aSignThatDoesNotArriveIsFollowedByAnother() throws Exception {
    tasks.enter(7);
    Sent lost = next();

    lost.answer().completeExceptionally(new IOException("the connection has ended"));

    assertThat(next().alive()).isEqualTo(new Alive("e", 2, List.of(7L)));
  }

  @Test
  void aReplacedTaskIsToldAndNoLongerReported() throws Exception {
    tasks.enter(7);
    tasks.enter(8);
    Sent first = next();
    Sent second = next();
    assertThat(second.alive().tasks()).containsExactly(7L, 8L);
    first.answer(new StandbyReply.Replaced(List.of()));

    second.answer(new StandbyReply.Replaced(List.of(7L)));

    assertThat(next().alive().tasks()).containsExactly(8L);
    assertThat(tasks.isReplaced(7)).isTrue();
    assertThat(tasks.isReplaced(8)).isFalse();
  }

  /** That answer is about the rank that the task had before. */
  @Test
  void anAnswerOfBeforeATasksPresentRankDoesNotReplaceIt() throws Exception {
    tasks.enter(7);
    Sent old = next();
    tasks.enter(7);

    old.answer(new StandbyReply.Replaced(List.of(7L)));

    assertThat(tasks.isReplaced(7)).isFalse();
  }

  @Test
  void aTaskThatLeftIsNotReplaced() throws Exception {
    tasks.enter(7);
    Sent sign = next();
    tasks.leave(7);

    sign.answer(new StandbyReply.Replaced(List.of(7L)));

    assertThat(tasks.isReplaced(7)).isFalse();
  }
}
