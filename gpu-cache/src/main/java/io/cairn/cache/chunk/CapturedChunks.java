package io.cairn.cache.chunk;

import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.RegionImage;
import java.util.List;
import java.util.Optional;

/** One rank's checkpoint whose bytes stay as they are while it is pinned. Thread-safe. */
public interface CapturedChunks {
  /** The images of its regions, in the order of protection. */
  List<RegionImage> images();

  /** Keeps its bytes until the pin is closed; empty if they are gone, or may change. */
  Optional<Pin> pin();

  /** Reads its chunks while a pin is open. */
  ChunkReader reader();
}
