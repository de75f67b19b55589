package io.cairn.engine.promotion;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.ContentHash;
import io.cairn.core.model.MappedBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Reads the chunks of a checkpoint as long as its group needs them. A write that reads from here
 * breaks off at the next chunk once the group gave the checkpoint up.
 */
record WantedChunks(ChunkReader chunks, BooleanSupplier wanted) implements ChunkReader {
  @Override
  public void read(int region, int chunk, ByteBuffer into) throws IOException {
    requireWanted();
    chunks.read(region, chunk, into);
  }

  @Override
  public Reading start(int region, int chunk, ByteBuffer into) throws IOException {
    requireWanted();
    return chunks.start(region, chunk, into);
  }

  @Override
  public Optional<MappedBytes> inPlace(int region, int chunk) throws IOException {
    requireWanted();
    return chunks.inPlace(region, chunk);
  }

  @Override
  public Optional<ContentHash> hash(int region, int chunk) {
    return chunks.hash(region, chunk);
  }

  @Override
  public boolean hasOlder(CheckpointId older) {
    return chunks.hasOlder(older);
  }

  @Override
  public boolean equalsOlder(CheckpointId older, int region, int chunk) throws IOException {
    requireWanted();
    return chunks.equalsOlder(older, region, chunk);
  }

  private void requireWanted() throws SkippedException {
    if (!wanted.getAsBoolean()) {
      throw new SkippedException("the group gave the checkpoint up");
    }
  }
}
