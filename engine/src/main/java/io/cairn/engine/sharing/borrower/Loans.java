package io.cairn.engine.sharing.borrower;

import io.cairn.engine.sharing.peer.Peers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** What a checkpoint borrowed. Thread-safe. */
public final class Loans {
  private static final Loans NONE = new Loans(List.of());
  private final List<LentPart> parts;

  private Loans(List<LentPart> parts) {
    this.parts = List.copyOf(parts);
  }

  static Loans of(List<Borrowed> borrowed, Peers peers) {
    return new Loans(borrowed.stream().map(one -> new LentPart(one, peers)).toList());
  }

  /** Nothing was borrowed. */
  public static Loans none() {
    return NONE;
  }

  /** By lender, in the order of chunks. */
  public List<LentPart> parts() {
    return parts;
  }

  /** Chunks that lie in borrowed slots. */
  public int chunks() {
    return parts.stream().mapToInt(LentPart::chunks).sum();
  }

  /**
   * Tells the lenders what was written, after the checkpoint is complete.
   *
   * @return completes when each has verified and holds its part; fails if one does not, and then
   *     the checkpoint is not at DEVICE
   */
  public CompletionStage<Void> announce() {
    return CompletableFuture.allOf(
        parts.stream()
            .map(one -> one.announce().toCompletableFuture())
            .toArray(CompletableFuture<?>[]::new));
  }
}
