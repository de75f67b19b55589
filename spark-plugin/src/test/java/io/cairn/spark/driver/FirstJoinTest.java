package io.cairn.spark.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.coordination.CadenceReports;
import io.cairn.engine.sharing.desk.SharingDesk;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import io.cairn.spark.settings.JoinAnswer;
import io.cairn.spark.settings.JoinQuestion;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class FirstJoinTest {
  private static final JoinQuestion WAITS = new JoinQuestion("1", false);
  private static final JoinQuestion JOINS = new JoinQuestion("2", true);
  private static final CairnConfig CONFIG = CairnConfig.defaults();
  private static final Map<String, String> SETTINGS = Map.of("driver.address", "d:1");

  @TempDir Path root;

  private final AtomicLong now = new AtomicLong();
  private final AtomicInteger openings = new AtomicInteger();

  private FirstJoin firstJoin(FirstJoin.Opening opening) {
    return new FirstJoin(
        () -> {
          openings.incrementAndGet();
          return opening.open();
        },
        Duration.ofSeconds(60),
        now::get);
  }

  private DriverParts parts() throws IOException {
    return parts(CheckpointStores.open(root.resolve("store").toString()));
  }

  private static DriverParts parts(CheckpointStore store) {
    SharingDesk desk = new SharingDesk(CONFIG.sharing(), System::nanoTime);
    DriverGroups groups =
        new DriverGroups(
            CONFIG,
            store,
            desk,
            new BarrierStages(warning -> {}),
            new CadenceReports(),
            () -> "a test");
    return new DriverParts(CONFIG, store, desk, groups, null, SETTINGS);
  }

  /** Asks until the opening has ended. */
  private static JoinAnswer end(FirstJoin join) {
    JoinAnswer answer = join.answer(JOINS);
    while (answer instanceof JoinAnswer.Opening) {
      Thread.onSpinWait();
      answer = join.answer(JOINS);
    }
    return answer;
  }

  @Test
  void executorsWithoutRanksOpenNothingAndLearnOfAJoin() {
    try (FirstJoin join = firstJoin(this::parts)) {
      assertThat(join.answer(WAITS)).isEqualTo(new JoinAnswer.Nobody(1_000));
      assertThat(openings).hasValue(0);

      assertThat(end(join)).isEqualTo(new JoinAnswer.Open(SETTINGS));
      assertThat(join.answer(WAITS)).isEqualTo(new JoinAnswer.Open(SETTINGS));
      assertThat(openings).hasValue(1);
    }
  }

  @Test
  void thousandsOfExecutorsAskAHundredTimesASecond() {
    try (FirstJoin join = firstJoin(this::parts)) {
      JoinAnswer last = new JoinAnswer.Opening();
      for (int executor = 0; executor < 2_000; executor++) {
        last = join.answer(new JoinQuestion("executor " + executor, false));
      }

      assertThat(last).isEqualTo(new JoinAnswer.Nobody(20_000));
      assertThat(join.answer(new JoinQuestion("executor 7", false))).isEqualTo(last);
    }
  }

  /** Under dynamic allocation they come and go for days. */
  @Test
  void executorsThatHaveEndedDelayNobody() {
    try (FirstJoin join = firstJoin(this::parts)) {
      for (int executor = 0; executor < 2_000; executor++) {
        JoinAnswer unused = join.answer(new JoinQuestion("ended " + executor, false));
      }
      now.addAndGet(Duration.ofSeconds(50).toNanos());
      JoinAnswer before = join.answer(WAITS);
      now.addAndGet(Duration.ofSeconds(15).toNanos());

      assertThat(before).isEqualTo(new JoinAnswer.Nobody(20_010));
      assertThat(join.answer(WAITS)).isEqualTo(new JoinAnswer.Nobody(1_000));
    }
  }

  @Test
  void aThreadThatDoesNotStartIsARefusalThatPasses() {
    AtomicInteger threads = new AtomicInteger();
    try (FirstJoin join =
        new FirstJoin(
            this::parts,
            Duration.ofSeconds(60),
            now::get,
            task ->
                new Thread(task) {
                  @Override
                  public synchronized void start() {
                    if (threads.incrementAndGet() == 1) {
                      throw new OutOfMemoryError("unable to create native thread");
                    }
                    super.start();
                  }
                })) {
      assertThat(join.answer(JOINS))
          .isInstanceOfSatisfying(
              JoinAnswer.Refused.class,
              refused -> assertThat(refused.reason()).contains("unable to create native thread"));
      now.addAndGet(Duration.ofSeconds(4).toNanos());

      assertThat(end(join)).isEqualTo(new JoinAnswer.Open(SETTINGS));
    }
  }

  @Test
  void aRefusalIsToldForSecondsAndThenTriedAgain() {
    FirstJoin.Opening refusedOnce =
        () -> {
          if (openings.get() == 1) {
            throw new IOException("spark.cairn.store = x: no right to write");
          }
          return parts();
        };
    try (FirstJoin join = firstJoin(refusedOnce)) {
      JoinAnswer refused = new JoinAnswer.Refused("spark.cairn.store = x: no right to write");
      assertThat(end(join)).isEqualTo(refused);
      assertThat(join.answer(WAITS)).isInstanceOf(JoinAnswer.Nobody.class);
      now.addAndGet(Duration.ofMillis(2_900).toNanos());
      assertThat(join.answer(JOINS)).isEqualTo(refused);
      assertThat(openings).hasValue(1);

      now.addAndGet(Duration.ofMillis(200).toNanos());
      assertThat(end(join)).isEqualTo(new JoinAnswer.Open(SETTINGS));
    }
  }

  @Test
  void joinsDoNotWaitForAnOpeningThatHangs() {
    CountDownLatch never = new CountDownLatch(1);
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    FirstJoin join =
        firstJoin(
            () -> {
              try {
                never.await();
              } catch (InterruptedException e) {
                interrupted.complete(true);
              }
              throw new IOException("ended");
            });
    assertThat(join.answer(JOINS)).isInstanceOf(JoinAnswer.Opening.class);
    now.addAndGet(Duration.ofSeconds(61).toNanos());

    assertThat(join.answer(JOINS))
        .isInstanceOfSatisfying(
            JoinAnswer.Refused.class,
            refused -> assertThat(refused.reason()).contains("for over 60 s", "cairn-first-join"));
    join.close();
    assertThat(interrupted.join()).isTrue();
    assertThat(openings).hasValue(1);
  }

  @Test
  void theStartOfAnApplicationWaitsForItsPart() throws Exception {
    try (FirstJoin join = firstJoin(this::parts)) {
      DriverParts open = join.openNow();
      assertThat(open.settings()).isEqualTo(SETTINGS);
      assertThat(open).asString().contains("job").doesNotContain("d:1");
      assertThat(join.answer(JOINS)).isEqualTo(new JoinAnswer.Open(SETTINGS));
      assertThat(openings).hasValue(1);
    }
  }

  @Test
  void theStartOfAnApplicationTellsWhyItsPartDoesNotOpen() {
    FirstJoin.Opening refused =
        () -> {
          throw new IOException("spark.cairn.store = x: no right to write");
        };
    try (FirstJoin join = firstJoin(refused)) {
      assertThatThrownBy(join::openNow)
          .isInstanceOf(IOException.class)
          .hasMessage("spark.cairn.store = x: no right to write");
    }
  }

  @Test
  void theStartOfAnApplicationDoesNotWaitForEver() {
    CountDownLatch never = new CountDownLatch(1);
    FirstJoin join =
        new FirstJoin(
            () -> {
              try {
                never.await();
              } catch (InterruptedException e) {
                throw new IOException("ended", e);
              }
              return parts();
            },
            Duration.ofSeconds(60),
            () -> now.addAndGet(Duration.ofSeconds(7).toNanos()));

    assertThatThrownBy(join::openNow)
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("for over 60 s", "cairn-first-join");
    join.close();
  }

  @Test
  void whatIsOpenedAfterTheEndIsClosed() {
    CompletableFuture<Boolean> closed = new CompletableFuture<>();
    CountDownLatch ends = new CountDownLatch(1);
    CheckpointStore store =
        (CheckpointStore)
            Proxy.newProxyInstance(
                CheckpointStore.class.getClassLoader(),
                new Class<?>[] {CheckpointStore.class},
                (proxy, method, arguments) -> closed.complete(method.getName().equals("close")));
    FirstJoin join =
        firstJoin(
            () -> {
              try {
                ends.await();
              } catch (InterruptedException e) {
                return parts(store);
              }
              throw new IOException("not interrupted");
            });
    assertThat(join.answer(JOINS)).isInstanceOf(JoinAnswer.Opening.class);

    join.close();

    assertThat(closed.join()).isTrue();
    assertThat(join.parts()).isEmpty();
    assertThat(join.answer(JOINS)).isInstanceOf(JoinAnswer.Refused.class);
  }
}
