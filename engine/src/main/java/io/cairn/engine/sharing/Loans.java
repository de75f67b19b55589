package io.cairn.engine.sharing;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** What a checkpoint borrowed. Thread-safe. */
public final class Loans {
  private final Function<Borrowed, CompletionStage<Void>> announcing;
  private final List<Borrowed> borrowed;

  Loans(List<Borrowed> borrowed, Function<Borrowed, CompletionStage<Void>> announcing) {
    this.announcing = announcing;
    this.borrowed = List.copyOf(borrowed);
  }

  /** Nothing was borrowed. */
  public static Loans none() {
    return new Loans(List.of(), one -> CompletableFuture.completedFuture(null));
  }

  /** Chunks that lie in borrowed slots. */
  public int chunks() {
    return borrowed.stream().mapToInt(one -> one.loan().chunks()).sum();
  }

  /**
   * Tells the lenders what was written, after the checkpoint is complete.
   *
   * @return completes when each has verified and holds its part; fails if one does not, and then
   *     the checkpoint is not at DEVICE
   */
  public CompletionStage<Void> announce() {
    return CompletableFuture.allOf(
        borrowed.stream()
            .map(one -> announcing.apply(one).toCompletableFuture())
            .toArray(CompletableFuture<?>[]::new));
  }
}
