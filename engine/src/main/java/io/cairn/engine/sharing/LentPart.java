package io.cairn.engine.sharing;

import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.RegionImage;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The chunks of a checkpoint that lie at one lender. Thread-safe. */
public final class LentPart {
  private final Borrowed borrowed;
  private final Borrower borrower;
  private @Nullable CompletionStage<Void> announced;

  LentPart(Borrowed borrowed, Borrower borrower) {
    this.borrowed = borrowed;
    this.borrower = borrower;
  }

  /** Whether the chunk of this number came to lie there. */
  public boolean holds(int chunk) {
    return chunk >= borrowed.first() && chunk - borrowed.first() < chunks();
  }

  /** How many they are. */
  public int chunks() {
    return borrowed.loan().chunks();
  }

  /** Whether the lender is on this machine, so that its NODE may be ours. */
  public boolean isNear() {
    return borrower.isNear(borrowed);
  }

  /** Tells the lender once what was written; completes when it holds all of it. */
  synchronized CompletionStage<Void> announce() {
    CompletionStage<Void> once = announced;
    if (once == null) {
      once = borrower.announce(borrowed);
      announced = once;
    }
    return once;
  }

  /**
   * Asks the lender to write these chunks into a container of its own at NODE, as soon as it holds
   * them. The checkpoint is complete, and stays pinned until this has completed.
   *
   * @param groupSize ranks of the group
   * @param node the identity of the store that is NODE here
   * @param images of all of the rank's regions
   * @return the container, which the lender says that it wrote; fails within bounded time if the
   *     lender refuses, fails, or does not answer
   */
  public CompletionStage<ContainerSummary> flush(
      int groupSize, String node, List<RegionImage> images) {
    FlushOrder order = new FlushOrder(borrowed.id(), groupSize, node, images);
    return announce().thenCompose(held -> borrower.flush(borrowed, order));
  }

  /** Tells the lender that these chunks have a copy at NODE, by whomever. */
  public void flushed() {
    borrower.flushed(borrowed);
  }

  @Override
  public String toString() {
    return chunks() + " chunks at " + borrowed.lender();
  }
}
