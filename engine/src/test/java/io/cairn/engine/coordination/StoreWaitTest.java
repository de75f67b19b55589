package io.cairn.engine.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.flush.store.StoreRefusedException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StoreWaitTest {
  private long nowNanos = 17;

  private List<Long> pauses(Duration patience) {
    StoreWait wait = new StoreWait("rank 0", patience, () -> nowNanos);
    List<Long> pauses = new ArrayList<>();
    for (OptionalLong pause = wait.failed("no connection");
        pause.isPresent();
        pause = wait.failed("no connection")) {
      pauses.add(pause.getAsLong());
      nowNanos += TimeUnit.MILLISECONDS.toNanos(pause.getAsLong());
    }
    return pauses;
  }

  @Test
  void pausesDoubleAndStayBelowTheLongest() {
    assertThat(pauses(Duration.ofSeconds(30)))
        .startsWith(250L, 500L, 1000L, 2000L, 4000L, 4000L)
        .allMatch(pause -> pause <= 4000);
  }

  @Test
  void theLastTryIsAtTheEndOfThePatience() {
    long sum = pauses(Duration.ofSeconds(30)).stream().mapToLong(pause -> pause).sum();

    assertThat(sum).isBetween(30_000L, 30_002L);
  }

  @Test
  void aTryThatTakesLongerThanThePatienceIsNotTheOnlyOne() {
    StoreWait wait = new StoreWait("rank 0", Duration.ofSeconds(5), () -> nowNanos);
    nowNanos += TimeUnit.SECONDS.toNanos(6);

    assertThat(wait.failed("read failed, and the desk is silent")).hasValue(250);
    assertThat(wait.failed("read failed")).isEmpty();
  }

  /** The task fails at once, and its message is in the driver's log. */
  @Test
  void aRefusalThatLastsIsNotWaitedFor() {
    StoreWait wait = new StoreWait("rank 0", Duration.ofSeconds(5), () -> nowNanos);
    IOException refusal = new StoreRefusedException("it is another machine's", null);

    assertThat(wait.failed(new IOException("it is not open yet", refusal))).isEmpty();
    assertThat(wait.failed(new IOException("connection refused"))).hasValue(250);
  }

  @Test
  void noPatienceMeansNoSecondTry() {
    assertThat(pauses(Duration.ZERO)).isEmpty();
  }
}
