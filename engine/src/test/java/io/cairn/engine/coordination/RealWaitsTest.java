package io.cairn.engine.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** All waits in real time end, whatever one of them leads to. */
@Timeout(60)
class RealWaitsTest {
  private static final long NANOS = 1_000_000;

  @Test
  void aTaskThatHangsHoldsUpNoTimeout() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch open = new CountDownLatch(1);
    Waits.REAL.runAfter(
        () -> {
          begun.countDown();
          awaitForGood(open);
        },
        NANOS);
    begun.await();

    CompletableFuture<String> other =
        Waits.REAL.completeAfter(new CompletableFuture<>(), "in vain", NANOS);

    try {
      assertThat(other.get(20, TimeUnit.SECONDS)).isEqualTo("in vain");
    } finally {
      open.countDown();
    }
  }

  private static void awaitForGood(CountDownLatch open) {
    try {
      open.await();
    } catch (InterruptedException e) {
      throw new AssertionError("nobody interrupts it", e);
    }
  }
}
