package io.cairn.engine.coordination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.GroupId;
import io.cairn.Member;
import io.cairn.RestoreException;
import io.cairn.core.cadence.CadencePlan;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.protocol.Origin;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A rank that waits for a coordinator, by a clock of the test. */
@Timeout(60)
class MembershipTest {
  private static final Member MEMBER = new Member(new GroupId("job", "pair"), 0, 2);
  private static final Duration JOIN_TIMEOUT = Duration.ofMinutes(30);
  private static final Duration LONG = Duration.ofDays(1);

  private final List<MemberMessage> sent = new ArrayList<>();
  private long nowNanos;

  /** By the time in seconds; empty while the coordinator answers. */
  private LongFunction<Optional<String>> trouble = second -> Optional.empty();

  /** When the rank is welcomed. */
  private Duration welcome = LONG;

  private final class Clock implements Waits {
    private Consumer<CoordinatorMessage> inbox = message -> {};

    @Override
    public void sleep(long millis) {
      throw new AssertionError("nothing sleeps");
    }

    @Override
    public <T> @Nullable T poll(BlockingQueue<T> queue, long millis) {
      nowNanos += TimeUnit.SECONDS.toNanos(1);
      if (nowNanos >= welcome.toNanos()) {
        inbox.accept(
            new CoordinatorMessage.Joined(1, CadencePlan.every(1, 10, 50), Optional.empty()));
      }
      return queue.poll();
    }

    @Override
    public boolean await(CompletableFuture<?> awaited, long nanos) {
      throw new AssertionError("nothing is awaited");
    }
  }

  private Membership join(Runnable interruption) {
    Clock clock = new Clock();
    return new Membership(
        (member, incarnation, inbox) -> {
          clock.inbox = inbox;
          return new Link();
        },
        MEMBER,
        new Origin("birth", 0),
        interruption,
        clock,
        JOIN_TIMEOUT,
        () -> nowNanos,
        aside -> {});
  }

  private final class Link implements Coordination.Link {
    @Override
    public void send(MemberMessage message) {
      sent.add(message);
    }

    @Override
    public Optional<String> trouble() {
      return trouble.apply(TimeUnit.NANOSECONDS.toSeconds(nowNanos));
    }

    @Override
    public void close() {}
  }

  @Test
  void aCoordinatorThatNeverAnswersIsWaitedForUntilTheJoinTimeout() {
    trouble = second -> Optional.of("nobody serves at 127.0.0.1:7177");

    assertThatThrownBy(() -> join(() -> {}))
        .isInstanceOf(RestoreException.class)
        .hasMessageContaining("joinTimeout")
        .hasMessageContaining("1800 s")
        .hasMessageContaining("nobody serves at 127.0.0.1:7177");

    assertThat(Duration.ofNanos(nowNanos)).isEqualTo(JOIN_TIMEOUT);
    assertThat(sent).last().isInstanceOf(MemberMessage.Withdraw.class);
  }

  /** The coordinator bounds the wait for other ranks. */
  @Test
  void aCoordinatorThatAnswersNowAndThenIsWaitedForLonger() {
    trouble = second -> second % 1000 == 999 ? Optional.empty() : Optional.of("no answer");
    welcome = Duration.ofHours(5);

    assertThat(join(() -> {}).epoch()).isEqualTo(1);
  }

  /** An answer is also that of which only the message is seen. */
  @Test
  void twoShortTroublesAreNoLongOne() {
    trouble = second -> Optional.of("no answer");
    welcome = Duration.ofSeconds(5);
    Membership membership = join(() -> {});
    nowNanos += Duration.ofHours(1).toNanos();

    assertThat(membership.next()).isInstanceOf(CoordinatorMessage.Joined.class);
  }

  @Test
  void anInterruptionEndsTheWait() {
    assertThatThrownBy(
            () ->
                join(
                    () -> {
                      if (nowNanos > 0) {
                        throw new CancellationException("the process closes");
                      }
                    }))
        .isInstanceOf(CancellationException.class);
    assertThat(sent).last().isInstanceOf(MemberMessage.Withdraw.class);
  }
}
