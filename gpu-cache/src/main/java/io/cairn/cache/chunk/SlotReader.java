package io.cairn.cache.chunk;

import io.cairn.cache.memory.DeviceMemory;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.RegionImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;

/** Reads a checkpoint's chunks out of its slots. */
record SlotReader(CachedCheckpoint checkpoint, Contents contents, DeviceMemory memory)
    implements ChunkReader {
  @Override
  public void read(int region, int chunk, ByteBuffer into) throws IOException {
    checkpoint.requirePinned();
    RegionImage image = contents.images().get(region);
    int length = image.chunkLength(Objects.checkIndex(chunk, image.chunks()));
    int slot = contents.first().get(region) + chunk;
    int end = into.position() + length;
    int limit = into.limit();
    into.limit(end);
    try {
      memory.copyToHostAsync(checkpoint.slot(slot).slice(0, length), into).awaitLanding();
    } finally {
      into.limit(limit);
    }
    into.position(end);
  }
}
