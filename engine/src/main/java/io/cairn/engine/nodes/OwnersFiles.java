package io.cairn.engine.nodes;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Holder;
import io.cairn.flush.format.Layout;
import io.cairn.flush.store.ReadableStore;
import io.cairn.flush.store.StoreInput;
import java.nio.file.NoSuchFileException;

/**
 * The containers of one rank at its owner's node, as a staging server reads them. Thread-safe.
 *
 * @param space bounds the bytes that are asked for
 * @param pieceBytes the most that is asked for at once
 */
record OwnersFiles(StagedOrder order, StagingSpace space, int pieceBytes) implements ReadableStore {
  @Override
  public String describe() {
    return "NODE of the owner";
  }

  @Override
  public StoreInput open(String path) throws NoSuchFileException {
    CheckpointId id = order.part().id();
    for (ContainerSummary container : order.part().containers()) {
      if (path.equals(Layout.file(id, container.file()))) {
        return new OwnersFile(this, id, container.file(), container.bytes());
      }
      for (Holder holder : container.holders()) {
        CheckpointId older = holder.in(id.group());
        if (path.equals(Layout.file(older, holder.file()))) {
          return new OwnersFile(this, older, holder.file(), holder.bytes());
        }
      }
    }
    throw new NoSuchFileException(describe() + "/" + path);
  }
}
