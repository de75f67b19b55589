package io.cairn.engine.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CairnEvent;
import io.cairn.GroupId;
import io.cairn.Member;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The clock is the test's. */
class WatchdogTest {
  private static final Member MEMBER = new Member(new GroupId("job", "run"), 3, 4);

  private final AtomicLong nowNanos = new AtomicLong();
  private final List<CairnEvent> events = new ArrayList<>();
  private final Watchdog watchdog =
      new Watchdog(Duration.ofSeconds(60), events::add, nowNanos::get);

  private void after(long seconds) {
    nowNanos.addAndGet(Duration.ofSeconds(seconds).toNanos());
    watchdog.check();
  }

  private List<Duration> reported() {
    return events.stream().map(event -> ((CairnEvent.Hangs) event).lasts()).toList();
  }

  @Test
  void workThatEndsInTimeIsNotReported() {
    Watchdog.Work work = watchdog.begin(MEMBER, "a capture");
    after(59);
    work.close();
    after(100);

    assertThat(events).isEmpty();
  }

  @Test
  void workThatLastsIsReportedAgainAfterTwiceTheTime() {
    Watchdog.Work work = watchdog.begin(MEMBER, "a capture");
    for (int second = 0; second < 500; second += 10) {
      after(10);
    }
    work.close();
    after(1000);

    assertThat(reported())
        .containsExactly(
            Duration.ofSeconds(60),
            Duration.ofSeconds(120),
            Duration.ofSeconds(240),
            Duration.ofSeconds(480));
  }

  @Test
  void eachWorkHasATimeOfItsOwn() {
    watchdog.begin(MEMBER, "a capture");
    after(30);
    Watchdog.Work later = watchdog.begin(MEMBER, "a flush");
    after(30);

    assertThat(events).hasSize(1);
    assertThat(((CairnEvent.Hangs) events.get(0)).work()).isEqualTo("a capture");
    later.close();
  }

  @Test
  void theLineNamesTheRankAndWhereItsThreadIs() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    Thread hanging =
        new Thread(
            () -> {
              Watchdog.Work work = watchdog.begin(MEMBER, "the write of e1-i7 to STORE");
              begun.countDown();
              hangInAStore(released);
              work.close();
            },
            "cairn-store");
    hanging.start();
    begun.await();
    while (hanging.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }

    after(90);

    assertThat(new EventLog(nowNanos::get).line(events.get(0)).orElseThrow())
        .contains("job/run rank 3/4 hangs: the write of e1-i7 to STORE has lasted 90 s")
        .contains("thread cairn-store")
        .contains("WatchdogTest.hangInAStore");
    released.countDown();
    hanging.join();
  }

  private static void hangInAStore(CountDownLatch released) {
    try {
      released.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
