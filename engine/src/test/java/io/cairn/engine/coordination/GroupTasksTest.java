package io.cairn.engine.coordination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class GroupTasksTest {
  private final ExecutorService threads = CommitThreads.open();
  private final List<Integer> ran = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch gate = new CountDownLatch(1);

  @AfterEach
  void stop() {
    gate.countDown();
    threads.shutdownNow();
  }

  private void await() {
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void end() throws InterruptedException {
    threads.shutdown();
    assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void tasksOfAGroupRunInTheirOrder() throws InterruptedException {
    GroupTasks group = new GroupTasks(threads);
    List<Integer> expected = new ArrayList<>();

    for (int i = 0; i < 1000; i++) {
      int number = i;
      expected.add(number);
      group.execute(() -> ran.add(number));
    }
    end();

    assertThat(ran).isEqualTo(expected);
  }

  @Test
  void aGroupWhoseTaskHangsDelaysNoOther() throws InterruptedException {
    GroupTasks hanging = new GroupTasks(threads);
    hanging.execute(this::await);
    hanging.execute(() -> ran.add(1));
    CountDownLatch done = new CountDownLatch(1);

    new GroupTasks(threads).execute(done::countDown);

    assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
    assertThat(ran).isEmpty();
    assertThat(hanging.isIdle()).isFalse();
  }

  @Test
  void tasksThatWaitRunAlthoughTheThreadsEnd() throws InterruptedException {
    GroupTasks group = new GroupTasks(threads);
    group.execute(this::await);
    group.execute(() -> ran.add(1));

    threads.shutdown();
    gate.countDown();
    end();

    assertThat(ran).containsExactly(1);
  }

  @Test
  void aTaskAfterTheEndIsRejected() throws InterruptedException {
    GroupTasks group = new GroupTasks(threads);
    end();

    assertThatThrownBy(() -> group.execute(() -> ran.add(1)))
        .isInstanceOf(RejectedExecutionException.class);
    assertThat(group.isIdle()).isTrue();
  }

  @Test
  void aTaskThatFailsStopsNoOther() throws InterruptedException {
    GroupTasks group = new GroupTasks(threads);

    group.execute(
        () -> {
          throw new IllegalStateException("a failure of the test");
        });
    group.execute(() -> ran.add(1));
    end();

    assertThat(ran).containsExactly(1);
  }
}
