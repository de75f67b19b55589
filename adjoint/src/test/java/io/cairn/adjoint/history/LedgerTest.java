package io.cairn.adjoint.history;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Level;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A device of two chunks, memory of another process below, and files. The test moves the states, so
 * that a process ends at a chosen moment.
 */
@Timeout(60)
class LedgerTest {
  private static final int CHUNK = 4096;

  private final Room lent = room(0, Level.DEVICE, 4);
  private final Room files = room(1, Level.NODE, 4);
  private final Ledger ledger =
      new Ledger(
          new HistorySettings(2 * CHUNK, CHUNK, Path.of("unused"), 4 * CHUNK),
          List.of(lent, files));

  private static Room room(int number, Level level, int chunks) {
    return new Room(number, new GoneShelf(level), chunks, false);
  }

  /** A shelf of which all chunks are gone, as soon as its room says that it loses some. */
  private record GoneShelf(Level level) implements Shelf {
    @Override
    public String name() {
      return "a shelf";
    }

    @Override
    public void write(int chunk, ByteBuffer bytes) {}

    @Override
    public void read(int chunk, ByteBuffer into) {}

    @Override
    public boolean follows(int chunk, int next) {
      return false;
    }

    @Override
    public boolean isGone(int chunk) {
      return true;
    }

    @Override
    public void close() {}
  }

  private State stored(long step) {
    State state = ledger.begin(step, new long[] {2 * CHUNK}, 1);
    ledger.stored(state);
    return state;
  }

  private void movesDown(State state, Room room) {
    ledger.expect(10, 2 * CHUNK); // more states come than the device has room for
    assertThat(ledger.nextDown(room)).isSameAs(state);
    ledger.down(state, null);
  }

  /** Runs something on another thread, and returns when that waits for the ledger. */
  private static <T> CompletableFuture<T> waiting(Supplier<T> work) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                result.complete(work.get());
              } catch (RuntimeException | Error e) {
                result.completeExceptionally(e);
              }
            },
            "beside");
    thread.setDaemon(true);
    thread.start();
    while (thread.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    return result;
  }

  /** The next state would take the place of a copy that no other is left of. */
  @Test
  void theLastCopyOfAStateThatIsReadStaysOnTheDevice() throws Exception {
    State state = stored(0);
    movesDown(state, lent);
    assertThat(ledger.beginRead(0)).isSameAs(state);
    CompletableFuture<List<Long>> lost = waiting(() -> ledger.lending().lose(lent, chunk -> true));
    files.failure = new IOException("full");

    synchronized (ledger) {
      ledger.endRead(state, true, false);
      assertThat(state.onDevice).isTrue();
      assertThat(state.isBelow).isFalse();
    }

    assertThat(lost.get()).isEmpty();
    assertThat(ledger.find(0)).isSameAs(state);
  }

  @Test
  void aReadThatWaitsForAStateThatIsLostSaysSo() throws Exception {
    State state = stored(0);
    movesDown(state, lent);
    ledger.secure(0);
    State other = stored(1);
    assertThat(requireNonNull(ledger.find(0)).onDevice).as("it made room").isFalse();
    assertThat(ledger.nextDown(files)).isSameAs(state);
    CompletableFuture<State> read = waiting(() -> ledger.beginRead(0));

    List<Long> lost;
    synchronized (ledger) {
      ledger.down(state, new IOException("its lender has ended"));
      lost = ledger.lending().lose(lent, chunk -> true);
    }

    assertThat(lost).containsExactly(0L);
    assertThatThrownBy(read::get)
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(HistoryException.class)
        .hasMessageContaining("step 0 is lost");
    assertThat(other.onDevice).isTrue();
  }
}
