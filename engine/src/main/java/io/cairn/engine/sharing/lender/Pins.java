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
 * Keeps what a lender holds as it is while another thread reads it. Pins and unpins on the lease
 * thread, in the book; the reading itself is elsewhere. Thread-safe.
 */
final class Pins {
  private final Executor leaseThread;
  private final Consumer<LeaseEvent> book;

  /** What the book's answer to the last pin belongs to; the lease thread's alone. */
  private CompletableFuture<List<LeasedChunk>> pinning = new CompletableFuture<>();

  /**
   * Pins of a book.
   *
   * @param book handles an event, called on the lease thread only; what it answers a pin comes to
   *     {@link #pinned} meanwhile
   */
  Pins(Executor leaseThread, Consumer<LeaseEvent> book) {
    this.leaseThread = leaseThread;
    this.book = book;
  }

  /** What reads chunks that are held. */
  interface Reading<T> {
    T read(List<LeasedChunk> chunks) throws IOException;
  }

  /** The book's answer to the pin that it handles. */
  void pinned(List<LeasedChunk> chunks) {
    pinning.complete(chunks);
  }

  /**
   * Reads what is held under a lease, which stays as it is meanwhile; the list may be empty.
   *
   * @param reader runs the work; if it refuses, the stage fails
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
      // nothing is lent any more
    }
  }

  private static <T> CompletableFuture<T> read(
      List<LeasedChunk> chunks, Executor reader, Reading<T> work) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Runnable task =
        () -> {
          try {
            result.complete(work.read(chunks));
          } catch (IOException | RuntimeException e) {
            result.completeExceptionally(e);
          }
        };
    try {
      reader.execute(task);
    } catch (RejectedExecutionException e) {
      result.completeExceptionally(
          new IllegalStateException("too much is waiting to be read, or nothing is any more", e));
    }
    return result;
  }
}
