package io.cairn.spark.ui.collect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.CairnEvent;
import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.engine.events.Counters;
import io.cairn.engine.events.GoodputBook;
import io.cairn.spark.metrics.ProcessTotals;
import io.cairn.spark.ui.Report;
import io.cairn.spark.ui.model.Round;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Reports that the driver takes, or does not; turns that the test takes itself. */
class ReportSenderTest {
  private static final Round ROUND =
      new Round(
          "7", 1, List.of(), List.of(), List.of(), List.of(), null, Map.of(), List.of(), List.of(),
          List.of(), List.of());

  private final Counters counters = new Counters();
  private final GoodputBook goodput = new GoodputBook(() -> 0, () -> 0, 0);
  private final List<Report> arrived = new CopyOnWriteArrayList<>();
  private Optional<Round> news = Optional.empty();
  private boolean driverAnswers;
  private int lost;

  private boolean send(Report report) {
    arrived.add(report);
    return driverAnswers;
  }

  private ReportSender sender() {
    return new ReportSender(
        () -> Optional.of(ProcessTotals.of("7", counters, goodput, List.of())),
        () -> news,
        this::send,
        () -> lost++);
  }

  private static void take(ReportSender sender, int turns) {
    for (int i = 0; i < turns; i++) {
      sender.takeTurn();
    }
  }

  /** A rank that hangs changes nothing after its only report. */
  @Test
  void lostTotalsAreSentAgain() {
    try (ReportSender sender = sender()) {
      take(sender, 10);
      assertThat(arrived).hasSize(2);

      driverAnswers = true;
      take(sender, 10);
      assertThat(arrived).as("the driver has them").hasSize(3);
    }
    assertThat(arrived).as("and they are not sent at the end").hasSize(3);
  }

  @Test
  void theLastOnesAreSentAtTheEnd() {
    driverAnswers = true;
    ReportSender sender = sender();
    take(sender, 5);
    counters.accept(new CairnEvent.Evicted(new CheckpointId(new GroupId("job", "g"), 1, 1), 0));
    news = Optional.of(ROUND);
    sender.close();
    sender.close();

    assertThat(arrived).hasSize(2);
    assertThat(arrived.get(1).round()).isEqualTo(ROUND);
    assertThat(Objects.requireNonNull(arrived.get(1).totals()).values()).contains(1L);
  }

  @Test
  void aRoundGoesWithTheTotalsIfBothAreDue() {
    driverAnswers = true;
    news = Optional.of(ROUND);
    try (ReportSender sender = sender()) {
      take(sender, 5);
    }

    assertThat(arrived.subList(0, 4)).containsOnly(new Report(null, ROUND));
    assertThat(arrived.get(4).round()).isEqualTo(ROUND);
    assertThat(arrived.get(4).totals()).isNotNull();
  }

  @Test
  void aRoundThatFailsKeepsNoTotalsBack() {
    driverAnswers = true;
    Supplier<Optional<Round>> failing =
        () -> {
          throw new IllegalStateException("no round");
        };
    try (ReportSender sender =
        new ReportSender(
            () -> Optional.of(ProcessTotals.of("7", counters, goodput, List.of())),
            failing,
            this::send,
            () -> lost++)) {
      take(sender, 5);
    }

    assertThat(arrived).hasSize(1);
    assertThat(arrived.get(0).totals()).isNotNull();
  }

  /** An alarm about a rank that hangs needs the totals. */
  @Test
  void anErrorInARoundKeepsNoTotalsBack() {
    driverAnswers = true;
    Supplier<Optional<Round>> failing =
        () -> {
          throw new OutOfMemoryError("a round");
        };
    ReportSender sender =
        new ReportSender(
            () -> Optional.of(ProcessTotals.of("7", counters, goodput, List.of())),
            failing,
            this::send,
            () -> lost++);
    for (int turn = 0; turn < 5; turn++) {
      assertThatThrownBy(sender::takeTurn).isInstanceOf(OutOfMemoryError.class);
    }

    assertThat(arrived).hasSize(1);
    assertThat(arrived.get(0).totals()).isNotNull();
    assertThatThrownBy(sender::close).isInstanceOf(OutOfMemoryError.class);
  }

  @Test
  void aReportThatSaysNothingIsRefused() {
    assertThatThrownBy(() -> new Report(null, null)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aReportWithoutNewsIsNotSent() {
    try (ReportSender sender =
        new ReportSender(Optional::empty, () -> news, this::send, () -> lost++)) {
      take(sender, 20);
    }

    assertThat(arrived).isEmpty();
  }

  @Test
  void roundsComeSeldomAfterAWhileAndTotalsAsOftenAsBefore() {
    assertThat(ReportSender.delayMillis(0)).isEqualTo(1_000);
    assertThat(ReportSender.delayMillis(299)).isEqualTo(1_000);
    assertThat(ReportSender.delayMillis(300)).isEqualTo(5_000);
    for (int turn = 1; turn <= 300; turn++) {
      assertThat(ReportSender.hasRound(turn)).isTrue();
      assertThat(ReportSender.hasTotals(turn)).isEqualTo(turn % 5 == 0);
    }
    for (int turn = 301; turn < 400; turn++) {
      assertThat(ReportSender.hasRound(turn)).isEqualTo(turn % 2 == 0);
      assertThat(ReportSender.hasTotals(turn)).isTrue();
    }
  }

  /** The parts that a turn asks have closed by then. */
  @Test
  void nothingIsSentAfterTheLastReport() throws Exception {
    news = Optional.of(ROUND); // a turn would send it
    ReportSender sender = sender();
    sender.close();
    List<Report> last = List.copyOf(arrived);

    assertThat(sender.awaitEnd()).isTrue();

    assertThat(arrived).isEqualTo(last);
  }

  /** The board would show for ever what the next round leaves out. */
  @Test
  void aRoundThatWasNotTakenIsToldToItsCollector() {
    news = Optional.of(ROUND);
    try (ReportSender sender = sender()) {
      take(sender, 2);
      assertThat(lost).isEqualTo(2);
      driverAnswers = true;
      take(sender, 1);
      assertThat(lost).as("it arrived").isEqualTo(2);
      driverAnswers = false;
      news = Optional.empty();
      take(sender, 2);
      assertThat(arrived.get(arrived.size() - 1).totals()).isNotNull();
      assertThat(lost).as("totals alone").isEqualTo(2);
      driverAnswers = true;
    }
  }

  @Test
  void aRoundWhoseSinkFailsIsToldToItsCollector() {
    List<Throwable> failures =
        List.of(new IllegalStateException("on purpose"), new OutOfMemoryError("on purpose"));
    news = Optional.of(ROUND);
    for (Throwable failure : failures) {
      try (ReportSender sender =
          new ReportSender(Optional::empty, () -> news, report -> fail(failure), () -> lost++)) {
        sender.now();
        news = Optional.empty();
      }
      news = Optional.of(ROUND);
    }

    assertThat(lost).isEqualTo(2);
  }

  private static boolean fail(Throwable failure) {
    if (failure instanceof Error error) {
      throw error;
    }
    throw (RuntimeException) failure;
  }

  /** The driver's port may be closed right after the last task. */
  @Test
  void theEndOfATaskIsReportedAtOnce() {
    driverAnswers = true;
    news = Optional.of(ROUND);
    try (ReportSender sender = sender()) {
      sender.now();

      assertThat(arrived)
          .anyMatch(report -> report.totals() != null && ROUND.equals(report.round()));
      news = Optional.empty();
    }
  }

  @Test
  @Timeout(60)
  void aSinkThatHangsHoldsNoTask() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    news = Optional.of(ROUND);
    ReportSender sender =
        new ReportSender(
            Optional::empty,
            () -> news,
            report -> {
              arrived.add(report);
              entered.countDown();
              await(released);
              return true;
            },
            () -> lost++);
    CompletableFuture<Void> first = CompletableFuture.runAsync(() -> sender.now(60_000));
    await(entered);

    sender.now(1); // one more task ends meanwhile

    released.countDown();
    first.get();
    sender.close();
    assertThat(sender.awaitEnd()).isTrue();
    assertThat(arrived).as("the last report says what the second task had to say").hasSize(2);
  }

  private static void await(CountDownLatch released) {
    try {
      released.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** An exception of a listener would fail its task. */
  @Test
  void aReportThatFailsReachesNoTask() {
    driverAnswers = true;
    Supplier<Optional<Round>> failing =
        () -> {
          throw new OutOfMemoryError("a round");
        };
    ReportSender sender = new ReportSender(Optional::empty, failing, this::send, () -> lost++);

    sender.now();
    Thread.currentThread().interrupt(); // Spark kills the task
    sender.now();

    assertThat(Thread.interrupted()).isTrue();
    assertThatThrownBy(sender::close).isInstanceOf(OutOfMemoryError.class);
    sender.now();
  }
}
