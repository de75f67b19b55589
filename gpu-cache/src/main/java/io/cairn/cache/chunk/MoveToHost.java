package io.cairn.cache.chunk;

import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.HostMemory;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.ReadAhead;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Moves chunks of a complete, pinned checkpoint from lent places to host memory, verified. */
record MoveToHost(ChunkCache cache, CachedCheckpoint checkpoint, Contents contents) {
  boolean toHost(LeasedPlaces leased, ByteBuffer staging, ChunkReader reader) throws IOException {
    if (staging.capacity() < cache.chunkBytes()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "chunks of %d bytes do not fit into a staging buffer of %d",
              cache.chunkBytes(),
              staging.capacity()));
    }
    Optional<Part> from = checkpoint.placement().in(leased);
    if (from.isEmpty()) {
      return true;
    }
    Optional<Part> to = cache.takeHost(from.get().first(), from.get().chunks());
    if (to.isEmpty()) {
      return false;
    }
    try {
      copy(from.get(), to.get(), new ReadAhead(staging.duplicate()), reader);
    } catch (IOException | RuntimeException e) {
      cache.locked(to.get()::giveBack);
      throw e;
    }
    checkpoint.replace(from.get(), List.of(to.get()));
    return true;
  }

  private void copy(Part from, Part to, ReadAhead ahead, ChunkReader reader) throws IOException {
    List<PlacedChunk> chunks = contents.of(from);
    ahead.forEach(
        chunks.size(),
        (number, into) ->
            reader.start(chunks.get(number).region(), chunks.get(number).chunk(), into),
        (number, reading, staged) -> {
          reading.await();
          copy(chunks.get(number), staged, to.place(from.first() + number));
        });
  }

  private void copy(PlacedChunk chunk, ByteBuffer staged, Place target) throws IOException {
    DeviceAddress to = target.address().slice(0, chunk.bytes());
    CopyEvent event = target.engine().copyAndChecksumAsync(HostMemory.of(staged), 0, to);
    event.awaitLanding();
    if (event.checksum() != chunk.checksum()) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "%s: chunk %d of region %d has checksum %08x where it was lent a place, not %08x",
              checkpoint,
              chunk.chunk(),
              chunk.region(),
              event.checksum(),
              chunk.checksum()));
    }
  }
}
