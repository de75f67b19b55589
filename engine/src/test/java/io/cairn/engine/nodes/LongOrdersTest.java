package io.cairn.engine.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.core.wire.PeerReply;
import io.cairn.engine.coordination.Waits;
import io.cairn.flush.pipeline.Stage;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Orders that are worked on when the test says so, and held as long as it says. */
@Timeout(60)
class LongOrdersTest {
  private static final PeerReply END = new PeerReply.Kept();
  private static final PeerReply GOES_ON = new PeerReply.StillWriting();

  private final List<Runnable> work = new ArrayList<>();
  private final List<Runnable> holds = new ArrayList<>();
  private final Stage stage = Stage.on(work::add, "orders", 100);
  private final AtomicInteger worked = new AtomicInteger();
  private long nanos;

  @AfterEach
  void close() {
    stage.close(Duration.ZERO);
  }

  private LongOrders orders(LongOrders.Remembered remembered) {
    return orders(remembered, Optional.of("wait here"));
  }

  private LongOrders orders(LongOrders.Remembered remembered, Optional<String> refusal) {
    return new LongOrders(new HeldWaits(), () -> nanos, stage, remembered, refusal);
  }

  /** Answers after a time when {@link #holds} run. */
  private final class HeldWaits implements Waits {
    @Override
    public void sleep(long millis) {
      throw new AssertionError("nobody sleeps");
    }

    @Override
    public <T> @Nullable T poll(BlockingQueue<T> queue, long millis) {
      throw new AssertionError("nobody polls");
    }

    @Override
    public boolean await(CompletableFuture<?> awaited, long nanos) {
      throw new AssertionError("nobody awaits");
    }

    @Override
    public <T> CompletableFuture<T> completeAfter(
        CompletableFuture<T> awaited, T value, long nanos) {
      holds.add(() -> awaited.complete(value));
      return awaited;
    }
  }

  /** Else it costs the rate of other orders, and leaves a container that no manifest names. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anOrderWhoseOwnerHasGivenUpIsNotBegun(boolean askedAgain) {
    LongOrders orders = orders(LongOrders.Remembered.ALL);
    send(orders, "rank", 1);
    nanos += Duration.ofSeconds(20).toNanos();
    if (askedAgain) {
      send(orders, "rank", 1);
    }
    nanos += Duration.ofSeconds(20).toNanos();
    work();

    assertThat(worked).hasValue(askedAgain ? 1 : 0);
  }

  /** Its owner would ask again for ever. */
  @Test
  void workThatRunsOutOfMemoryFailsTheOrder() {
    CompletableFuture<PeerReply> end =
        orders(LongOrders.Remembered.FAILURES)
            .begin(
                10,
                () -> {
                  throw new OutOfMemoryError("direct buffer memory");
                });

    work.get(0).run();

    assertThat(end).isCompletedExceptionally();
  }

  private CompletableFuture<PeerReply> order(LongOrders orders, String line, int number) {
    return orders
        .answer(
            line,
            number,
            10,
            () -> {
              worked.incrementAndGet();
              return END;
            })
        .toCompletableFuture();
  }

  private CompletableFuture<PeerReply> failing(LongOrders orders) {
    return orders
        .answer(
            "rank",
            1,
            10,
            () -> {
              worked.incrementAndGet();
              throw new IOException("lost");
            })
        .toCompletableFuture();
  }

  private void send(LongOrders orders, String line, int number) {
    var unused = order(orders, line, number);
  }

  private void sendFailing(LongOrders orders) {
    var unused = failing(orders);
  }

  private void work() {
    while (!work.isEmpty()) {
      work.remove(0).run();
    }
  }

  private void endHolds() {
    holds.forEach(Runnable::run);
    holds.clear();
  }

  @ParameterizedTest
  @EnumSource
  void anOrderThatArrivesAgainIsWorkedOnOnce(LongOrders.Remembered remembered) {
    LongOrders orders = orders(remembered);

    CompletableFuture<PeerReply> first = order(orders, "rank", 1);
    endHolds();
    CompletableFuture<PeerReply> again = order(orders, "rank", 1);
    work();

    assertThat(first).isCompletedWithValue(GOES_ON);
    assertThat(again).isCompletedWithValue(END);
    assertThat(worked).hasValue(1);
  }

  @Test
  void anEndThatItsOwnerDoesNotKnowIsKept() {
    LongOrders orders = orders(LongOrders.Remembered.ALL);
    send(orders, "rank", 1);
    endHolds();
    work();

    assertThat(order(orders, "rank", 1)).isCompletedWithValue(END);
    assertThat(worked).hasValue(1);
  }

  @Test
  void aSuccessThatTheWorkShowsIsNotKept() {
    LongOrders orders = orders(LongOrders.Remembered.FAILURES);
    send(orders, "rank", 1);
    endHolds();
    work();

    CompletableFuture<PeerReply> again = order(orders, "rank", 1);
    work();

    assertThat(again).isCompletedWithValue(END);
    assertThat(worked).as("what was undone meanwhile is done again").hasValue(2);
  }

  @ParameterizedTest
  @EnumSource
  void aFailureThatItsOwnerDoesNotKnowIsKeptForOneAnswer(LongOrders.Remembered remembered) {
    LongOrders orders = orders(remembered);
    sendFailing(orders);
    endHolds();
    work();

    assertThatThrownBy(failing(orders)::join).hasMessageContaining("lost");
    assertThat(worked).hasValue(1);

    sendFailing(orders);
    work();
    assertThat(worked).as("then it is tried again").hasValue(2);
  }

  @ParameterizedTest
  @EnumSource
  void anEndThatItsOwnerKnowsIsForgotten(LongOrders.Remembered remembered) {
    LongOrders orders = orders(remembered);
    send(orders, "rank", 1);
    work();

    send(orders, "rank", 1);
    work();

    assertThat(worked).hasValue(2);
  }

  @Test
  void anEndThatNobodyFetchesGoesWithTheNextOrderOfItsLine() {
    LongOrders orders = orders(LongOrders.Remembered.ALL);
    send(orders, "rank", 1);
    send(orders, "other rank", 1);
    endHolds();
    work();

    send(orders, "rank", 2);
    work();
    send(orders, "rank", 1);
    send(orders, "other rank", 1);
    work();

    assertThat(worked).as("1, 1 of the other, 2, and 1 again").hasValue(4);
  }

  @ParameterizedTest
  @EnumSource
  void anOrderWithoutRoomWhoseOwnerHasNoOtherWayGoesOn(LongOrders.Remembered remembered) {
    LongOrders orders = orders(remembered, Optional.empty());
    assertThat(stage.offer(95, () -> {})).isTrue();

    assertThat(order(orders, "rank", 1)).isCompletedWithValue(GOES_ON);
    work();
    CompletableFuture<PeerReply> again = order(orders, "rank", 1);
    work();

    assertThat(again).isCompletedWithValue(END);
    assertThat(worked).hasValue(1);
  }

  @Test
  void anOrderWithoutRoomIsRefusedAndMayComeAgain() {
    LongOrders orders = orders(LongOrders.Remembered.ALL);
    assertThat(stage.offer(95, () -> {})).isTrue();

    assertThatThrownBy(order(orders, "rank", 1)::join).hasMessageContaining("95 bytes wait here");
    work();
    CompletableFuture<PeerReply> again = order(orders, "rank", 1);
    work();

    assertThat(again).isCompletedWithValue(END);
  }
}
