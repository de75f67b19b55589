package io.cairn.engine.coordination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class CoordinatorThreadsTest {
  private final CountDownLatch ending = new CountDownLatch(1);
  private final CoordinatorThreads threads =
      new CoordinatorThreads(
          () -> {
            ending.countDown(); // only the end asks for the time
            return System.nanoTime();
          });
  private final List<String> done = Collections.synchronizedList(new ArrayList<>());

  /** As the last report of a rank commits, and its commit lets the end of the group be marked. */
  @Test
  void whatTheLastEventCausesIsDone() {
    threads
        .events()
        .execute(
            () -> {
              await(ending);
              done.add("report");
              threads
                  .storing()
                  .execute(
                      () -> {
                        done.add("commit");
                        threads.events().execute(() -> threads.storing().execute(this::mark));
                      });
            });

    threads.end(System.nanoTime() + TimeUnit.SECONDS.toNanos(20));

    assertThat(done).containsExactly("report", "commit", "mark");
  }

  private void mark() {
    done.add("mark");
  }

  @Test
  void idleThreadsEndEvenIfTheTimeIsOver() throws InterruptedException {
    List<Thread> idle = List.of(threadOf(threads.events()), threadOf(threads.storing()));
    assertThat(threads.awaitIdle(System.nanoTime() + TimeUnit.SECONDS.toNanos(20))).isTrue();

    threads.end(System.nanoTime() - 1);

    for (Thread thread : idle) {
      thread.join();
    }
    assertThatThrownBy(() -> threads.events().execute(this::mark))
        .isInstanceOf(RejectedExecutionException.class);
    assertThatThrownBy(() -> threads.storing().execute(this::mark))
        .isInstanceOf(RejectedExecutionException.class);
    assertThat(done).isEmpty();
  }

  private static Thread threadOf(Executor executor) {
    return CompletableFuture.supplyAsync(Thread::currentThread, executor).join();
  }

  /** Something else took the time. By this clock the second of grace never passes. */
  @Test
  void aTaskUnderWayMayEndEvenIfTheTimeIsOver() {
    CoordinatorThreads graceful = new CoordinatorThreads(() -> 0);
    Thread ender = Thread.currentThread();
    graceful
        .events()
        .execute(
            () -> {
              while (ender.getState() != Thread.State.TIMED_WAITING) {
                if (Thread.currentThread().isInterrupted()) {
                  return;
                }
                Thread.onSpinWait();
              }
              graceful.storing().execute(this::mark);
            });

    graceful.end(-1);

    assertThat(done).containsExactly("mark");
  }

  /** A store that hangs must not keep a process that ends. */
  @Test
  void aTaskThatHangsIsInterrupted() throws InterruptedException {
    CountDownLatch interrupted = new CountDownLatch(1);
    threads
        .storing()
        .execute(
            () -> {
              try {
                new CountDownLatch(1).await();
              } catch (InterruptedException e) {
                interrupted.countDown();
              }
            });

    threads.end(System.nanoTime());

    assertThat(interrupted.await(20, TimeUnit.SECONDS)).isTrue();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
