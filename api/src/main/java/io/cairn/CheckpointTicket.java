package io.cairn;

import java.util.concurrent.CompletableFuture;

/**
 * The outcomes of one checkpoint. The futures always complete, never exceptionally, and each only
 * once; cancelling one has no effect on the checkpoint. Thread-safe.
 */
public interface CheckpointTicket {
  /** The checkpoint. */
  CheckpointId id();

  /**
   * Completes when the application may write its regions again: {@link Outcome.Captured}, {@link
   * Outcome.Skipped}, {@link Outcome.Fenced} or {@link Outcome.Failed}. A device may fail to hold
   * what it has captured; the levels then fail.
   */
  CompletableFuture<Outcome> captured();

  /**
   * Completes when the group's checkpoint is sealed at {@code level}, or will not be: {@link
   * Outcome.Sealed}, {@link Outcome.NotDue}, or the outcome with the reason.
   */
  CompletableFuture<Outcome> sealed(Level level);
}
