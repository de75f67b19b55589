package io.cairn.core.model;

import io.cairn.core.model.ChunkReader.Reading;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads chunks through a few buffers of its own, so that several reads are under way while one
 * chunk is used. Chunks are used in their order. A reader whose reads end at once needs one buffer,
 * and its bytes are used while they are in the processor's cache; the other buffers are made when
 * they are first needed, and kept. Allocates nothing per chunk. Not thread-safe.
 */
public final class ReadAhead {
  /** The most reads under way. */
  public static final int MOST_UNDER_WAY = 4;

  private final @Nullable ByteBuffer[] buffers = new ByteBuffer[MOST_UNDER_WAY];
  private final @Nullable Reading[] readings = new Reading[MOST_UNDER_WAY];
  private final int bufferBytes;

  /** Starts the read of one chunk. */
  @FunctionalInterface
  public interface Start {
    /**
     * As {@link ChunkReader#start}.
     *
     * @param number of the chunk, from 0
     * @param into a whole buffer
     */
    Reading start(int number, ByteBuffer into) throws IOException;
  }

  /** Uses one chunk. */
  @FunctionalInterface
  public interface Use {
    /**
     * Awaits the reading, then uses the bytes before the buffer's position.
     *
     * @param number of the chunk, from 0
     */
    void use(int number, Reading reading, ByteBuffer bytes) throws IOException;
  }

  /**
   * Reads through this buffer, and others of its capacity.
   *
   * @param first direct ones are faster; its position and limit change
   */
  public ReadAhead(ByteBuffer first) {
    buffers[0] = first;
    bufferBytes = first.capacity();
  }

  /** The longest chunk that it reads, in bytes. */
  public int bufferBytes() {
    return bufferBytes;
  }

  /**
   * Reads and uses a number of chunks, one after the other. If a start or a use throws, no read is
   * under way any more when this throws.
   *
   * @throws IOException from a start or a use
   */
  public void forEach(int chunks, Start start, Use use) throws IOException {
    int used = 0;
    int started = 0;
    int slot = 0; // of the chunk to be used next
    try {
      for (; used < chunks; used++) {
        if (used == started) {
          slot = 0;
        }
        while (started < chunks && mayStart(started - used, slot)) {
          int at = (slot + started - used) % MOST_UNDER_WAY;
          readings[at] = start.start(started, buffer(at).clear());
          started++;
        }
        use.use(used, reading(slot), buffer(slot));
        slot = (slot + 1) % MOST_UNDER_WAY;
      }
    } finally {
      for (; used < started; used++, slot = (slot + 1) % MOST_UNDER_WAY) {
        settle(reading(slot));
      }
    }
  }

  /** Reads and uses all chunks of a reader, in the order of their numbers. */
  public void forEach(ChunkNumbers numbers, ChunkReader reader, Use use) throws IOException {
    forEach(
        numbers.all(),
        (number, into) -> {
          int region = numbers.region(number);
          return reader.start(region, number - numbers.of(region, 0), into);
        },
        use);
  }

  private boolean mayStart(int underWay, int slot) {
    return underWay == 0 || (underWay < MOST_UNDER_WAY && !reading(slot).isDone());
  }

  private Reading reading(int slot) {
    return Objects.requireNonNull(readings[slot]);
  }

  private ByteBuffer buffer(int slot) {
    ByteBuffer buffer = buffers[slot];
    if (buffer == null) {
      buffer = ByteBuffer.allocateDirect(bufferBytes);
      buffers[slot] = buffer;
    }
    return buffer;
  }

  /** Waits for a read whose chunk nobody uses; the failure that ended the others is thrown. */
  private static void settle(Reading unused) {
    try {
      unused.await();
    } catch (IOException e) {
      return;
    }
  }
}
