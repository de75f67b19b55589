package io.cairn.adjoint;

import io.cairn.Cairn;
import io.cairn.Member;
import io.cairn.adjoint.history.History;
import io.cairn.adjoint.history.HistoryPlaces;
import io.cairn.engine.runtime.CairnEngine;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.SubdirectoryStore;

/**
 * The states of one rank at STORE, in a directory beside the checkpoints of its group.
 *
 * <pre>{@code
 * StoredStates.below(HistoryPlaces.on(device), cairn, checkpointer.member(), 1L << 40);
 * }</pre>
 */
public final class StoredStates {
  private StoredStates() {}

  /**
   * Adds STORE to the places of a rank that joined. A program without other room waits for it as
   * long as {@code store.patience} says.
   *
   * @param places above it
   * @param cairn stays open as long as the {@link History}
   * @param bytes that the history takes of it at most
   * @throws IllegalArgumentException if {@code cairn} is not of {@link Cairn#open} or {@link
   *     Cairn#current}, or {@code bytes} is negative
   */
  public static HistoryPlaces below(HistoryPlaces places, Cairn cairn, Member rank, long bytes) {
    if (!(cairn instanceof CairnEngine engine)) {
      throw new IllegalArgumentException(cairn + " has no store: open it by Cairn.open");
    }
    return places.withStore(
        new SubdirectoryStore(engine.store(), StoreNames.states(rank)),
        engine.config().storePatience(),
        bytes);
  }
}
