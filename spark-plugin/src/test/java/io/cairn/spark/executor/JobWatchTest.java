package io.cairn.spark.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.cairn.spark.settings.JoinAnswer;
import io.cairn.spark.settings.JoinQuestion;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class JobWatchTest {
  private static final Map<String, String> SETTINGS = Map.of("driver.address", "d:1");

  private final LinkedBlockingQueue<JoinAnswer> answers = new LinkedBlockingQueue<>();
  private final List<Object> questions = new CopyOnWriteArrayList<>();

  /** As Spark carries them. */
  private Object answer(Object question) throws InterruptedException {
    questions.add(JoinQuestion.of(question));
    return answers.take().message();
  }

  private JobWatch watch() {
    return new JobWatch("7", this::answer);
  }

  @Test
  void anExecutorWithoutRanksOpensOnceOneHasJoined() throws Exception {
    answers.addAll(
        List.of(new JoinAnswer.Nobody(1), new JoinAnswer.Nobody(1), new JoinAnswer.Open(SETTINGS)));
    CompletableFuture<Thread> opened = new CompletableFuture<>();
    try (JobWatch watch = watch()) {
      watch.watch(() -> opened.complete(Thread.currentThread()));

      opened.get().join();
    }
    assertThat(questions)
        .containsExactly(
            new JoinQuestion("7", false),
            new JoinQuestion("7", false),
            new JoinQuestion("7", false));
  }

  /** It may be short of memory, or its node may not be mounted yet. */
  @Test
  void anExecutorThatDoesNotOpenTriesAgain() {
    answers.addAll(List.of(new JoinAnswer.Open(SETTINGS), new JoinAnswer.Open(SETTINGS)));
    AtomicInteger tries = new AtomicInteger();
    CompletableFuture<Thread> opened = new CompletableFuture<>();
    try (JobWatch watch = new JobWatch("7", this::answer, 1)) {
      watch.watch(
          () -> {
            if (tries.incrementAndGet() == 1) {
              throw new IllegalStateException("no directory at NODE");
            }
            return opened.complete(Thread.currentThread());
          });

      opened.join();
    }
    assertThat(tries).hasValue(2);
  }

  @Test
  void anExecutorThatOpensByAJoinOfItsOwnDoesNotAskAnyMore() throws Exception {
    answers.add(new JoinAnswer.Nobody(TimeUnit.DAYS.toMillis(1)));
    CompletableFuture<Thread> asking = new CompletableFuture<>();
    JobWatch watch =
        new JobWatch(
            "7",
            question -> {
              asking.complete(Thread.currentThread());
              return answer(question);
            });
    watch.watch(
        () -> {
          throw new IllegalStateException("opened");
        });
    Thread thread = asking.get();

    watch.close();

    thread.join();
    assertThat(questions).hasSize(1);
  }

  @Test
  void aJoinWaitsForTheDriversPart() throws Exception {
    answers.addAll(List.of(new JoinAnswer.Opening(), new JoinAnswer.Open(SETTINGS)));
    try (JobWatch watch = watch()) {
      assertThat(watch.join()).isEqualTo(SETTINGS);
    }
    assertThat(questions).containsOnly(new JoinQuestion("7", true));
  }

  @Test
  void aJoinFailsWithTheDriversReason() {
    answers.add(new JoinAnswer.Refused("spark.cairn.store = x: no right to write"));
    try (JobWatch watch = watch()) {
      assertThatIOException()
          .isThrownBy(watch::join)
          .withMessageContaining("spark.cairn.store = x: no right to write");
    }
  }

  @Test
  void aJoinFailsIfTheDriverIsNotReached() {
    try (JobWatch watch =
        new JobWatch(
            "7",
            question -> {
              throw new IOException("connection refused");
            })) {
      assertThatIOException()
          .isThrownBy(watch::join)
          .withMessageContaining("driver")
          .withMessageContaining("connection refused");
    }
  }

  /** A store may hang, and Spark waits for the end of an executor. */
  @Test
  void theEndOfAnExecutorEndsAJoinThatWaits() throws Exception {
    CountDownLatch asked = new CountDownLatch(2);
    JobWatch watch =
        new JobWatch(
            "7",
            question -> {
              asked.countDown();
              return new JoinAnswer.Opening().message();
            });
    CompletableFuture<Map<String, String>> joining =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return watch.join();
              } catch (IOException e) {
                throw new IllegalArgumentException(e);
              }
            });
    asked.await();

    watch.close();

    assertThat(joining.handle((settings, failure) -> failure).join())
        .hasMessageContaining("executor 7 ends");
    assertThatIllegalStateException().isThrownBy(watch::join);
  }
}
