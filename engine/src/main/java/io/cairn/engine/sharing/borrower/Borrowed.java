package io.cairn.engine.sharing.borrower;

import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.HeldChunk;
import io.cairn.cache.chunk.Loan;
import io.cairn.core.sharing.FilledChunk;
import io.cairn.core.sharing.LeaseId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * What one lender holds of a checkpoint of ours.
 *
 * @param first number of the first chunk that lies there; the others follow
 * @param held completes when the lender has said that it holds all of it, or fails
 * @param withdrawn takes the reason if the lender loses it
 */
record Borrowed(
    LeaseId id,
    String lender,
    CachedCheckpoint checkpoint,
    Loan loan,
    int first,
    CompletableFuture<Void> held,
    Consumer<String> withdrawn) {
  /** What was written there; of a complete checkpoint. */
  List<FilledChunk> filled() {
    List<FilledChunk> filled = new ArrayList<>();
    for (HeldChunk held : checkpoint.in(loan)) {
      int position = filled.size();
      filled.add(new FilledChunk(position, first + position, held.bytes(), held.checksum()));
    }
    return filled;
  }
}
