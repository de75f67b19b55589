package io.cairn.flush.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A late store is a store like any other, once it could be opened. */
class LateStoreTest extends CheckpointStoreContract {
  @TempDir Path directory;

  private final AtomicInteger tries = new AtomicInteger();
  private long nowNanos;
  private boolean away;

  @Override
  protected CheckpointStore openEmpty() {
    return late();
  }

  private LateStore late() {
    return new LateStore("STORE", this::open, () -> nowNanos);
  }

  private CheckpointStore open() throws IOException {
    tries.incrementAndGet();
    if (away) {
      throw new IOException("connection refused");
    }
    return LocalStore.open(directory.resolve("store"), Durability.PROCESS);
  }

  @Test
  void operationsFailWithTheReasonUntilItOpens() throws IOException {
    away = true;
    try (LateStore store = late()) {
      assertThatIOException()
          .isThrownBy(() -> store.list(""))
          .withMessageContaining("connection refused");

      away = false;
      assertThatIOException()
          .isThrownBy(() -> store.create("job/file"))
          .withMessageContainingAll("STORE", "not open yet", "connection refused");
      nowNanos += TimeUnit.SECONDS.toNanos(1);

      assertThat(store.list("")).isEmpty();
      store.create("job/file").close();
      assertThat(store.list("job")).hasSize(1);
      assertThat(store.describe()).contains(directory.toString());
    }
  }

  @Test
  void theOpeningIsTriedLessAndLessOften() throws IOException {
    away = true;
    try (LateStore store = late()) {
      for (int second = 0; second < 600; second++) {
        assertThatIOException().isThrownBy(() -> store.list(""));
        nowNanos += TimeUnit.SECONDS.toNanos(1);
      }
    }

    assertThat(tries.get()).isBetween(20, 30);
  }

  @Test
  void anOpeningThatHangsHoldsUpNoOtherOperation() throws Exception {
    CountDownLatch hangs = new CountDownLatch(1);
    CountDownLatch goesOn = new CountDownLatch(1);
    LateStore.Opening opening =
        () -> {
          hangs.countDown();
          awaitQuietly(goesOn);
          return open();
        };
    try (LateStore store = new LateStore("STORE", opening, () -> nowNanos, Duration.ofMillis(10))) {
      CompletableFuture<Void> first = CompletableFuture.runAsync(() -> openQuietly(store));
      hangs.await();

      assertThatIOException()
          .isThrownBy(() -> store.list(""))
          .withMessageContaining("its opening takes long");

      goesOn.countDown();
      first.join();
      assertThat(store.list("")).isEmpty();
    }
  }

  private static void awaitQuietly(CountDownLatch latch) throws IOException {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  private static void openQuietly(LateStore store) {
    try {
      store.requireOpen();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aClosedStoreIsNotOpenedAgain() throws IOException {
    LateStore store = late();
    store.close();

    assertThatIOException().isThrownBy(store::requireOpen).withMessageContaining("closed");
    assertThat(tries).hasValue(0);
  }
}
