package io.cairn.core.model;

import io.cairn.CheckpointId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Reads the chunks of a checkpoint as long as a guard lets them pass. A write that reads from here
 * breaks off at the next chunk once its result is of no use. Thread-safe as far as both are.
 *
 * @param chunks the chunks
 * @param guard is asked before each chunk
 */
public record GuardedChunks(ChunkReader chunks, Guard guard) implements ChunkReader {
  /** Decides whether chunks are still wanted. */
  @FunctionalInterface
  public interface Guard {
    /**
     * Returns if they are.
     *
     * @throws IOException why they are not
     */
    void pass() throws IOException;
  }

  @Override
  public void read(int region, int chunk, ByteBuffer into) throws IOException {
    guard.pass();
    chunks.read(region, chunk, into);
  }

  @Override
  public Reading start(int region, int chunk, ByteBuffer into) throws IOException {
    guard.pass();
    return chunks.start(region, chunk, into);
  }

  @Override
  public Optional<MappedBytes> staging(int bytes) {
    return chunks.staging(bytes);
  }

  @Override
  public boolean verifies() {
    return chunks.verifies();
  }

  @Override
  public Optional<MappedBytes> inPlace(int region, int chunk) throws IOException {
    guard.pass();
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
    guard.pass();
    return chunks.equalsOlder(older, region, chunk);
  }
}
