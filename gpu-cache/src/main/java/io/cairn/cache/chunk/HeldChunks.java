package io.cairn.cache.chunk;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.ChunkReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Chunks of another process's checkpoint in slots of this cache, verified when they came. Found
 * until one of the slots is taken back, or it is discarded. Thread-safe.
 */
public final class HeldChunks {
  /** Changed under the cache's lock alone, as are the pins. */
  private enum State {
    VERIFYING,
    HELD,
    GONE
  }

  private final SlotLending lending;
  private final CheckpointId id;
  private final int rank;
  private final List<HeldChunk> chunks;
  private final Map<Long, HeldChunk> byNumber = new HashMap<>();
  private State state = State.VERIFYING;
  private int pins = 1;

  HeldChunks(SlotLending lending, CheckpointId id, int rank, List<HeldChunk> chunks) {
    this.lending = lending;
    this.id = id;
    this.rank = rank;
    this.chunks = List.copyOf(chunks);
    for (HeldChunk chunk : chunks) {
      if (byNumber.put(chunk.key(), chunk) != null) {
        throw new IllegalArgumentException(this + ": " + chunk + " is given twice");
      }
    }
    if (chunks.stream().mapToInt(HeldChunk::slot).distinct().count() < chunks.size()) {
      throw new IllegalArgumentException(this + ": two chunks lie in one slot");
    }
  }

  /** The checkpoint that they are of. */
  public CheckpointId id() {
    return id;
  }

  /** The rank whose data they are. */
  public int rank() {
    return rank;
  }

  /** All of them, in the order in which they were given. */
  public List<HeldChunk> chunks() {
    return chunks;
  }

  /** Whether a chunk is one of them. */
  public boolean holds(int region, int chunk) {
    return byNumber.containsKey(HeldChunk.key(region, chunk));
  }

  /**
   * Keeps them where they are until the pin is closed, although their slots be taken back; empty if
   * they are gone. Its reader throws {@link IOException} for a chunk that is not one of them.
   */
  public Optional<Pin> pin() {
    synchronized (lending.lock()) {
      if (state != State.HELD) {
        return Optional.empty();
      }
      pins++;
      return Optional.of(new Pin(this::reader, this::unpin));
    }
  }

  private ChunkReader reader() {
    return (region, chunk, into) -> {
      requirePinned();
      read(find(region, chunk), into);
    };
  }

  private HeldChunk find(int region, int chunk) throws IOException {
    @Nullable HeldChunk found = byNumber.get(HeldChunk.key(region, chunk));
    if (found == null) {
      throw new IOException(this + ": chunk " + chunk + " of region " + region + " is not here");
    }
    return found;
  }

  private void read(HeldChunk chunk, ByteBuffer into) throws IOException {
    lending.pinnedPlace(chunk.slot()).read(chunk.bytes(), into).await();
  }

  private void requirePinned() {
    synchronized (lending.lock()) {
      if (pins == 0) {
        throw new IllegalStateException(this + " are read without a pin");
      }
    }
  }

  private void unpin() {
    synchronized (lending.lock()) {
      lending.unpin(this);
    }
  }

  /** Lets them be found no more; the slots stay lent. Idempotent. */
  public void discard() {
    synchronized (lending.lock()) {
      lending.end(this);
    }
  }

  /** Reads and compares each chunk. */
  void verify(ByteBuffer staging) throws IOException {
    CRC32C crc = new CRC32C();
    for (HeldChunk chunk : chunks) {
      if (chunk.bytes() > staging.capacity()) {
        throw new IllegalArgumentException(
            "%s: %s does not fit into a staging buffer of %d bytes"
                .formatted(this, chunk, staging.capacity()));
      }
      read(chunk, staging.clear());
      crc.reset();
      crc.update(staging.flip());
      if ((int) crc.getValue() != chunk.checksum()) {
        throw new IOException(
            "%s: %s has checksum %08x".formatted(this, chunk, (int) crc.getValue()));
      }
    }
  }

  /** Ends the verification; false if they are gone. Under the lock, as is all below. */
  boolean verified() {
    if (state == State.VERIFYING) {
      state = State.HELD;
    }
    return state == State.HELD;
  }

  boolean isHeld() {
    return state == State.HELD;
  }

  void end() {
    state = State.GONE;
  }

  void removePin() {
    pins--;
  }

  /** Whether nobody finds or reads them any more. */
  boolean isOver() {
    return state == State.GONE && pins == 0;
  }

  @Override
  public String toString() {
    return chunks.size() + " chunks of " + id + " of rank " + rank + ", for a peer";
  }
}
