package io.cairn.flush.format;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Holder;
import io.cairn.core.model.RegionImage;
import io.cairn.flush.format.ContainerIndex.RankIndex;
import java.util.List;

/**
 * One rank's container as it was written: newer containers of the rank may lean on it, and on the
 * holders that it leans on itself. Immutable.
 */
public final class Base {
  /** The number of the holder that the base itself is. */
  static final int ITSELF = 0;

  private final CheckpointId id;
  private final ContainerSummary container;
  private final RankIndex index;

  Base(CheckpointId id, ContainerSummary container, RankIndex index) {
    this.id = id;
    this.container = container;
    this.index = index;
  }

  /** The checkpoint. */
  public CheckpointId id() {
    return id;
  }

  /** Its manifest's entry for the container. */
  public ContainerSummary container() {
    return container;
  }

  List<RegionImage> images() {
    return index.images();
  }

  /** The chunks of a region. */
  StoredChunks stored(int region) {
    return index.stored().get(region);
  }

  /** The holders that its chunks are in: itself, and those in its list. */
  int holders() {
    return 1 + container.holders().size();
  }

  /** The holder with this number. */
  Holder holder(int number) {
    return number == ITSELF ? Holder.of(id, container) : container.holders().get(number - 1);
  }
}
