package io.cairn.engine.sharing.lender;

import io.cairn.core.sharing.LeaseEvent;
import io.cairn.core.sharing.LeaseId;
import io.cairn.core.sharing.LeasedChunk;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * Keeps held chunks unchanged while another thread reads them. The book pins and unpins on the
 * lease thread; the reader's thread reads. Thread-safe.
 */
final class Pins {
  private final Executor leaseThread;
  private final Consumer<LeaseEvent> book;

  /** Receives the book's answer to the current pin; used on the lease thread only. */
  private CompletableFuture<List<LeasedChunk>> pinning = new CompletableFuture<>();

  /**
   * Pins of a book.
   *
   * @param book handles an event, on the lease thread only; calls {@link #pinned} during a pin
   */
  Pins(Executor leaseThread, Consumer<LeaseEvent> book) {
    this.leaseThread = leaseThread;
    this.book = book;
  }

  /** Reads held chunks. */
  interface Reading<T> {
    T read(List<LeasedChunk> chunks) throws IOException;
  }

  /** The book's answer to the pin that it handles. */
  void pinned(List<LeasedChunk> chunks) {
    pinning.complete(chunks);
  }

  /**
   * Reads the held chunks of a lease, which stay unchanged meanwhile; the list may be empty.
   *
   * @param reader runs the work; if it rejects the work, the stage fails
   */
  <T> CompletionStage<T> reading(LeaseId id, Executor reader, Reading<T> work) {
    CompletableFuture<List<LeasedChunk>> pinned = new CompletableFuture<>();
    leaseThread.execute(() -> pin(id, pinned));
    return pinned.thenCompose(
        chunks ->
            read(chunks, reader, work)
                .whenComplete(
                    (result, failure) -> {
                      if (!chunks.isEmpty()) {
                        unpin(id);
                      }
                    }));
  }

  private void pin(LeaseId id, CompletableFuture<List<LeasedChunk>> pinned) {
    pinning = pinned;
    book.accept(new LeaseEvent.Pin(id));
    pinned.completeExceptionally(new IllegalStateException(id + " cannot be pinned"));
  }

  private void unpin(LeaseId id) {
    try {
      leaseThread.execute(() -> book.accept(new LeaseEvent.Unpin(id)));
    } catch (RejectedExecutionException closed) {
      // after close the book has no leases to unpin
    }
  }

  private static <T> CompletableFuture<T> read(
      List<LeasedChunk> chunks, Executor reader, Reading<T> work) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Runnable task =
        () -> {
          try {
            result.complete(work.read(chunks));
          } catch (IOException | RuntimeException | Error e) { // else the chunks stay pinned
            result.completeExceptionally(e);
          }
        };
    try {
      reader.execute(task);
    } catch (RejectedExecutionException e) {
      result.completeExceptionally(
          new IllegalStateException("too many reads wait, or the lender is closed", e));
    }
    return result;
  }
}
