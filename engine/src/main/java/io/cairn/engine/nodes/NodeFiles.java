package io.cairn.engine.nodes;

import io.cairn.CheckpointId;
import io.cairn.Level;
import io.cairn.core.model.CheckpointManifest;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Holder;
import io.cairn.core.model.LevelSpec;
import io.cairn.core.wire.NodeSite;
import io.cairn.flush.format.StoreNames;
import io.cairn.flush.store.ReadableStore;
import io.cairn.flush.store.StoreInput;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * The containers of one rank's checkpoint at another node. Thread-safe.
 *
 * @param level NODE, or PEER for copies that the node keeps for others
 * @param birth of the group
 * @param containers may be opened, and so may those that they lean on
 * @param readBytes receives the bytes that were read of each container
 */
record NodeFiles(
    Asking asking,
    NodeSite site,
    Level level,
    CheckpointId id,
    String birth,
    List<ContainerSummary> containers,
    LongConsumer readBytes)
    implements ReadableStore {
  /**
   * The files of a part of a manifest, as the machine that captured the part holds them.
   *
   * @param birth of the group
   */
  static NodeFiles ofOwner(Asking asking, NodeSite owner, CheckpointManifest part, String birth) {
    return new NodeFiles(
        asking,
        owner,
        LevelSpec.keptBy(LevelSpec.Keeper.MACHINE),
        part.id(),
        birth,
        part.containers(),
        bytes -> {});
  }

  @Override
  public String describe() {
    return level + " of " + site;
  }

  @Override
  public StoreInput open(String path) throws NoSuchFileException {
    for (ContainerSummary container : containers) {
      if (path.equals(StoreNames.file(id, container.file()))) {
        return file(id, container.file(), container.bytes());
      }
      for (Holder holder : container.holders()) {
        CheckpointId older = holder.in(id.group());
        if (path.equals(StoreNames.file(older, holder.file()))) {
          return file(older, holder.file(), holder.bytes());
        }
      }
    }
    throw new NoSuchFileException(describe() + "/" + path);
  }

  private NodeFile file(CheckpointId of, String name, long bytes) {
    return new NodeFile(asking, site, level, of, birth, name, bytes, readBytes);
  }
}
