package io.cairn.engine.nodes;

import io.cairn.core.model.ContainerSummary;
import io.cairn.core.protocol.RankHolding;
import io.cairn.core.wire.NodeSite;
import io.cairn.flush.format.Layout;
import io.cairn.flush.store.ReadableStore;
import io.cairn.flush.store.StoreInput;
import java.nio.file.NoSuchFileException;
import java.util.function.LongConsumer;

/**
 * The containers of one rank's checkpoint at another node. Thread-safe.
 *
 * @param birth of the group
 * @param readBytes receives the bytes that were read of each container
 */
record NodeFiles(
    Asking asking, NodeSite site, RankHolding holding, String birth, LongConsumer readBytes)
    implements ReadableStore {
  @Override
  public String describe() {
    return "NODE of " + site;
  }

  @Override
  public StoreInput open(String path) throws NoSuchFileException {
    for (ContainerSummary container : holding.containers()) {
      if (path.equals(Layout.file(holding.id(), container.file()))) {
        return new NodeFile(asking, site, holding.id(), birth, container, readBytes);
      }
    }
    throw new NoSuchFileException(describe() + "/" + path);
  }
}
