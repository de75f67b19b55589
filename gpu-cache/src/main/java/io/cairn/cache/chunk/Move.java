package io.cairn.cache.chunk;

import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.HostMemory;
import io.cairn.core.model.ChunkReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Moves chunks of a complete, pinned checkpoint from lent places to host memory, verified. */
record Move(ChunkCache cache, CachedCheckpoint checkpoint, Contents contents) {
  boolean toHost(LeasedPlaces leased, ByteBuffer staging, ChunkReader reader) throws IOException {
    if (staging.capacity() < cache.chunkBytes()) {
      throw new IllegalArgumentException(
          "chunks of %d bytes do not fit into a staging buffer of %d"
              .formatted(cache.chunkBytes(), staging.capacity()));
    }
    Optional<Part> from = checkpoint.partIn(leased);
    if (from.isEmpty()) {
      return true;
    }
    Optional<Part> to = cache.takeHost(from.get().first(), from.get().chunks());
    if (to.isEmpty()) {
      return false;
    }
    try {
      copy(from.get(), to.get(), staging.duplicate(), reader);
    } catch (IOException | RuntimeException e) {
      cache.locked(to.get()::giveBack);
      throw e;
    }
    checkpoint.replace(from.get(), to.get());
    return true;
  }

  private void copy(Part from, Part to, ByteBuffer staging, ChunkReader reader) throws IOException {
    HostMemory source = HostMemory.of(staging);
    int index = from.first();
    for (PlacedChunk chunk : contents.of(from)) {
      reader.read(chunk.region(), chunk.chunk(), staging.clear());
      Place target = to.place(index);
      CopyEvent event =
          target.engine().copyAndChecksumAsync(source, 0, target.address().slice(0, chunk.bytes()));
      event.awaitLanding();
      if (event.checksum() != chunk.checksum()) {
        throw new IOException(
            "%s: chunk %d of region %d has checksum %08x where it was lent a place, not %08x"
                .formatted(
                    checkpoint, chunk.chunk(), chunk.region(), event.checksum(), chunk.checksum()));
      }
      index++;
    }
  }
}
