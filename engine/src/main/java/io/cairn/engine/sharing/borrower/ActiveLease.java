package io.cairn.engine.sharing.borrower;

import io.cairn.cache.chunk.CachedCheckpoint;
import io.cairn.cache.chunk.LeasedPlaces;
import io.cairn.cache.chunk.PlacedChunk;
import io.cairn.core.sharing.FilledChunk;
import io.cairn.core.sharing.LeaseId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * A lease that this process was granted for one of its checkpoints.
 *
 * @param first number of the first chunk in the leased slots; the others follow
 * @param held completes when the lender has acknowledged all chunks, or fails
 * @param withdrawn receives the reason if the lender loses the chunks
 * @param lost whether the lender was lost before the checkpoint was complete
 */
record ActiveLease(
    LeaseId id,
    String lender,
    CachedCheckpoint checkpoint,
    LeasedPlaces places,
    int first,
    CompletableFuture<Void> held,
    Consumer<String> withdrawn,
    AtomicBoolean lost) {
  /** The chunks in the leased slots; empty if the checkpoint is not complete, or moved away. */
  List<FilledChunk> filled() {
    List<FilledChunk> filled = new ArrayList<>();
    for (PlacedChunk placed : checkpoint.in(places)) {
      int position = filled.size();
      filled.add(new FilledChunk(position, first + position, placed.bytes(), placed.checksum()));
    }
    return filled;
  }
}
