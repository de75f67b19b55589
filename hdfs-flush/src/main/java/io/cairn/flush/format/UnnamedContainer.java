package io.cairn.flush.format;

import io.cairn.CheckpointId;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.StoreInput;
import java.io.IOException;
import java.util.Set;

/**
 * A container that no manifest names, as its own header, index and trailer describe it. That these
 * are whole shows that the container was finished, and nothing about its chunks.
 *
 * @param groupSize ranks of the group
 * @param ranks with data in the container
 * @param holders the number of older containers that it leans on
 */
public record UnnamedContainer(int groupSize, Set<Integer> ranks, int holders) {
  /** Copies the set. */
  public UnnamedContainer {
    ranks = Set.copyOf(ranks);
  }

  /**
   * Reads header, index and trailer.
   *
   * @param file name of the container in the checkpoint's directory
   * @throws FormatException if one of them is damaged, or the container is not finished
   */
  public static UnnamedContainer read(CheckpointStore store, CheckpointId id, String file)
      throws IOException {
    String path = StoreNames.file(id, file);
    String where = store.describe() + "/" + path;
    try (StoreInput input = store.open(path)) {
      ContainerHeader header = ContainerReader.readHeader(input, where, id);
      ContainerTrailer trailer = ContainerReader.readTrailer(input, where);
      ContainerIndex index = ContainerReader.readIndex(input, where, header.version(), trailer);
      return new UnnamedContainer(header.groupSize(), index.ranks().keySet(), index.holders());
    }
  }
}
