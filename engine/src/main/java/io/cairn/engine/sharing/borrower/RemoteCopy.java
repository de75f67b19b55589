package io.cairn.engine.sharing.borrower;

import io.cairn.cache.memory.CopyEvent;
import java.io.IOException;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * A copy over the network.
 *
 * @param what for messages
 * @param ending completes with the checksum, if one is computed, when nothing of it is under way
 */
record RemoteCopy(String what, CompletableFuture<OptionalInt> ending) implements CopyEvent {
  @Override
  public boolean isDone() {
    return ending.isDone();
  }

  @Override
  public void await() throws IOException, InterruptedException {
    try {
      ending.get();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new IOException(what + ": " + cause.getMessage(), cause);
    }
  }

  @Override
  public int checksum() {
    if (!ending.isDone() || ending.isCompletedExceptionally()) {
      throw new IllegalStateException(what + " is not done, or failed");
    }
    return ending
        .join()
        .orElseThrow(() -> new IllegalStateException(what + " computes no checksum"));
  }
}
