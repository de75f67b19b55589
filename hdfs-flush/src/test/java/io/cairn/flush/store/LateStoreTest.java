package io.cairn.flush.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Path;
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
  void aClosedStoreIsNotOpenedAgain() throws IOException {
    LateStore store = late();
    store.close();

    assertThatIOException().isThrownBy(store::requireOpen).withMessageContaining("closed");
    assertThat(tries).hasValue(0);
  }
}
