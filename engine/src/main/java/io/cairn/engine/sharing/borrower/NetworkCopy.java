package io.cairn.engine.sharing.borrower;

import io.cairn.cache.memory.CopyEvent;
import io.cairn.engine.coordination.Waits;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/**
 * Copies over the network.
 *
 * @param what for messages
 * @param checksums of the chunks in their order; empty for a copy that computes none
 * @param ending completes, well or badly, when no copy is under way
 * @param waits of the threads that await it
 */
record NetworkCopy(
    String what,
    List<CompletableFuture<Integer>> checksums,
    CompletableFuture<Void> ending,
    Waits waits)
    implements CopyEvent {
  /** Copies to a peer, each of which completes with its checksum. */
  static NetworkCopy toPeer(String what, List<CompletableFuture<Integer>> checksums, Waits waits) {
    return new NetworkCopy(
        what,
        checksums,
        CompletableFuture.allOf(checksums.toArray(CompletableFuture[]::new)),
        waits);
  }

  /** A copy from a peer. */
  static NetworkCopy fromPeer(String what, CompletionStage<Void> ending, Waits waits) {
    return new NetworkCopy(what, List.of(), ending.toCompletableFuture(), waits);
  }

  @Override
  public boolean isDone() {
    return ending.isDone();
  }

  @Override
  public void await() throws IOException, InterruptedException {
    waits.awaitEnd(ending);
    try {
      Void unused = ending.get();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new IOException(what + ": " + cause.getMessage(), cause);
    }
  }

  @Override
  public int checksum(int chunk) {
    if (!ending.isDone() || ending.isCompletedExceptionally()) {
      throw new IllegalStateException(what + " is not done, or failed");
    } else if (checksums.isEmpty()) {
      throw new IllegalStateException(what + " computes no checksum");
    }
    return checksums.get(chunk).join();
  }
}
