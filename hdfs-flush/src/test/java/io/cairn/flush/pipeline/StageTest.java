package io.cairn.flush.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class StageTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Stage stage = Stage.start("test", 100);
  private final CountDownLatch gate = new CountDownLatch(1);

  @AfterEach
  void close() {
    gate.countDown();
    stage.close(PATIENCE);
  }

  /** Occupies the stage's thread until the gate opens. */
  private void block(long bytes) {
    CountDownLatch begun = new CountDownLatch(1);
    assertThat(
            stage.offer(
                bytes,
                () -> {
                  begun.countDown();
                  await(gate);
                }))
        .isTrue();
    await(begun);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void tasksRunInOrderOnOneDaemonThread() {
    List<Integer> ran = Collections.synchronizedList(new ArrayList<>());
    CompletableFuture<Thread> thread = new CompletableFuture<>();
    for (int i = 0; i < 10; i++) {
      int number = i;
      assertThat(
              stage.offer(
                  1,
                  () -> {
                    ran.add(number);
                    thread.complete(Thread.currentThread());
                  }))
          .isTrue();
    }
    assertThat(stage.close(PATIENCE)).isEmpty();
    assertThat(ran).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    assertThat(thread.join().isDaemon()).isTrue();
    assertThat(thread.join().getName()).isEqualTo("cairn-test");
  }

  @Test
  void aTaskThatCannotBeLeftOutRunsBeyondTheBound() {
    AtomicInteger ran = new AtomicInteger();
    block(100);

    assertThat(stage.offer(1, ran::incrementAndGet)).isFalse();
    assertThat(stage.admit(50, ran::incrementAndGet)).isTrue();
    assertThat(stage.queuedBytes()).isEqualTo(150);
    gate.countDown();
    stage.close(PATIENCE);

    assertThat(ran).hasValue(1);
    assertThat(stage.admit(50, ran::incrementAndGet)).as("closed").isFalse();
  }

  @Test
  void aTaskWithoutRoomIsRefusedAtOnce() {
    block(60);
    assertThat(stage.offer(41, () -> {})).isFalse();
    assertThat(stage.offer(40, () -> {})).isTrue();
    assertThat(stage.queuedBytes()).isEqualTo(100);
    gate.countDown();
    assertThat(stage.close(PATIENCE)).isEmpty();
    assertThat(stage.queuedBytes()).isZero();
  }

  @Test
  void aTaskLongerThanTheBoundRunsAlone() {
    block(1000);
    assertThat(stage.offer(1, () -> {})).isFalse();
  }

  /** Deletes make room; a stage that refuses them while it is full stays full. */
  @Test
  void aTaskWithoutMemoryIsTakenBesideAnyOther() {
    AtomicInteger ran = new AtomicInteger();
    block(1000);

    assertThat(stage.offer(0, ran::incrementAndGet)).isTrue();
    gate.countDown();

    assertThat(stage.close(PATIENCE)).isEmpty();
    assertThat(ran).hasValue(1);
  }

  @Test
  void tasksWithoutMemoryAreBoundedInNumber() {
    block(0);
    int taken = 0;
    while (taken < 100_000 && stage.offer(0, () -> {})) {
      taken++;
    }

    assertThat(taken).isBetween(1000, 10_000);
    assertThat(stage.offer(100, () -> {})).isTrue();
  }

  /** A delete that waits is no reason to skip a checkpoint, however large it is. */
  @Test
  void aTaskWithoutMemoryDelaysNoLongerOne() {
    block(0);

    assertThat(stage.offer(1000, () -> {})).isTrue();
    assertThat(stage.offer(1, () -> {})).isFalse();
  }

  @Test
  void aTaskThatFailsEndsOnlyItself() {
    AtomicInteger ran = new AtomicInteger();
    assertThat(
            stage.offer(
                1,
                () -> {
                  throw new IllegalStateException("expected by this test");
                }))
        .isTrue();
    assertThat(stage.offer(1, ran::incrementAndGet)).isTrue();
    assertThat(stage.close(PATIENCE)).isEmpty();
    assertThat(ran).hasValue(1);
    assertThat(stage.queuedBytes()).isZero();
  }

  @Test
  void closingInAHurryHandsBackWhatHadNotBegun() {
    AtomicInteger ran = new AtomicInteger();
    block(10);
    assertThat(stage.offer(10, ran::incrementAndGet)).isTrue();
    assertThat(stage.offer(10, ran::incrementAndGet)).isTrue();
    assertThat(stage.close(Duration.ZERO)).hasSize(2);
    assertThat(stage.offer(1, ran::incrementAndGet)).as("closed").isFalse();
    assertThat(stage.queuedBytes()).isEqualTo(10);
    gate.countDown();
    assertThat(stage.close(PATIENCE)).isEmpty();
    assertThat(ran).hasValue(0);
  }

  @Test
  void anInterruptedCloseHandsBackWhatHadNotBegunAndStaysInterrupted() {
    block(10);
    assertThat(stage.offer(10, () -> {})).isTrue();
    Thread.currentThread().interrupt();
    assertThat(stage.close(PATIENCE)).hasSize(1);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void theBoundHoldsForManyFeeders() throws InterruptedException {
    AtomicLong held = new AtomicLong();
    AtomicLong most = new AtomicLong();
    AtomicInteger taken = new AtomicInteger();
    AtomicInteger ran = new AtomicInteger();
    List<Thread> feeders = new ArrayList<>();
    for (int f = 0; f < 3; f++) {
      Thread feeder =
          new Thread(
              () -> {
                for (int i = 0; i < 2000; i++) {
                  long bytes = 1L + i % 40;
                  if (stage.offer(
                      bytes,
                      () -> {
                        ran.incrementAndGet();
                        held.addAndGet(-bytes);
                      })) {
                    taken.incrementAndGet();
                    held.addAndGet(bytes);
                  }
                  most.accumulateAndGet(stage.queuedBytes(), Math::max);
                }
              });
      feeders.add(feeder);
      feeder.start();
    }
    for (Thread feeder : feeders) {
      feeder.join();
    }
    assertThat(stage.close(PATIENCE)).isEmpty();
    assertThat(most.get()).isBetween(1L, 100L);
    assertThat(ran.get()).isEqualTo(taken.get()).isPositive();
    assertThat(held).hasValue(0);
  }

  @Test
  void aStageWithoutRoomIsRefused() {
    assertThatThrownBy(() -> Stage.start("none", 0)).hasMessageContaining("stage none");
  }

  @Test
  void aTaskTakenBackDoesNotRunAndFreesItsRoom() {
    AtomicInteger runs = new AtomicInteger();
    Runnable waits = runs::incrementAndGet;
    block(40);
    assertThat(stage.offer(60, waits)).isTrue();

    assertThat(stage.take(task -> task == waits)).contains(waits);
    assertThat(stage.queuedBytes()).isEqualTo(40);
    assertThat(stage.offer(60, () -> {})).isTrue();
    gate.countDown();
    stage.close(PATIENCE);

    assertThat(runs).hasValue(0);
  }

  @Test
  void aTaskThatHasBegunIsNotTakenBack() {
    block(40);

    assertThat(stage.take(task -> true)).isEmpty();
    assertThat(stage.queuedBytes()).isEqualTo(40);
  }

  /** Runs until the other tasks of its kind run, too. */
  private record Meeting(Object line, CountDownLatch arrived) implements Stage.InLine {
    @Override
    public void run() {
      arrived.countDown();
      await(arrived);
    }
  }

  @Test
  void tasksOfSeveralLinesRunAtOnceOnSeveralThreads() {
    CountDownLatch both = new CountDownLatch(2);
    Stage wide = Stage.start("wide", 100, 2);

    wide.offer(1, new Meeting("rank 0", both));
    wide.offer(1, new Meeting("rank 1", both));

    await(both);
    assertThat(wide.close(PATIENCE)).isEmpty();
  }

  /** Counts how many of its kind run at once. */
  private record Counted(Object line, int number, AtomicInteger running, List<Integer> ran)
      implements Stage.InLine {
    @Override
    public void run() {
      assertThat(running.incrementAndGet()).isEqualTo(1);
      ran.add(number);
      running.decrementAndGet();
    }
  }

  @Test
  void tasksOfOneLineRunOneAfterTheOtherInOrder() {
    Stage wide = Stage.start("wide", 10_000, 4);
    List<List<Integer>> ran = new ArrayList<>();
    for (int line = 0; line < 3; line++) {
      ran.add(Collections.synchronizedList(new ArrayList<>()));
    }
    List<AtomicInteger> running =
        List.of(new AtomicInteger(), new AtomicInteger(), new AtomicInteger());

    for (int number = 0; number < 1000; number++) {
      int line = number % 3;
      wide.offer(1, new Counted(line, number, running.get(line), ran.get(line)));
    }
    wide.close(PATIENCE);

    for (int line = 0; line < 3; line++) {
      assertThat(ran.get(line)).hasSize(line == 0 ? 334 : 333).isSorted();
    }
  }
}
