package io.cairn.core.model;

import io.cairn.core.model.ChunkReader.Reading;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads chunks through a few buffers of its own, so that several reads are under way while one
 * chunk is used. Chunks are used in their order. A chunk in mapped memory is used where it lies. A
 * reader whose reads end at once needs one buffer, and its bytes are used while they are in the
 * processor's cache; the other buffers are made when they are first needed, and kept. Buffers that
 * a reader lends are used instead, until its last chunk was used. Allocates nothing per chunk that
 * is read. Not thread-safe.
 */
public final class ReadAhead {
  /** The most reads under way. */
  public static final int MOST_UNDER_WAY = 4;

  private final @Nullable ByteBuffer[] buffers = new ByteBuffer[MOST_UNDER_WAY];
  private final @Nullable MappedBytes[] lent = new MappedBytes[MOST_UNDER_WAY];
  private final @Nullable ByteBuffer[] lentBuffers = new ByteBuffer[MOST_UNDER_WAY];
  private final @Nullable Reading[] readings = new Reading[MOST_UNDER_WAY];
  private final int bufferBytes;

  /** Whether the reader may have another buffer to lend. */
  private boolean mayLend;

  /** The place of each chunk by its number, if it has one of its own. */
  private final @Nullable IntFunction<ByteBuffer> places;

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

    /** As {@link ChunkReader#staging}. */
    default Optional<MappedBytes> staging(int bytes) {
      return Optional.empty();
    }

    /** As {@link ChunkReader#inPlace}; asked for a chunk before any later one is started. */
    default Optional<MappedBytes> inPlace(int number) throws IOException {
      return Optional.empty();
    }
  }

  /** Uses one chunk. */
  @FunctionalInterface
  public interface Use {
    /**
     * Awaits the reading, then uses the bytes before the buffer's position. They are read-only
     * where the chunk lies in mapped memory.
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
    places = null;
  }

  private ReadAhead(IntFunction<ByteBuffer> places) {
    bufferBytes = Integer.MAX_VALUE;
    this.places = places;
  }

  /**
   * Reads each chunk into a place of its own, and not where a reader offers it.
   *
   * @param places finds the place of the n-th chunk that is read, from 0; as long as the chunk
   */
  public static ReadAhead into(IntFunction<ByteBuffer> places) {
    return new ReadAhead(places);
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
    mayLend = true;
    try {
      for (; used < chunks; used++) {
        if (used == started) {
          slot = 0;
          if (places == null && useInPlace(used, start, use)) {
            started++;
            continue;
          }
        }
        while (started < chunks && mayStart(started - used, slot)) {
          int at = (slot + started - used) % MOST_UNDER_WAY;
          readings[at] = start.start(started, buffer(at, started, start).clear());
          started++;
        }
        use.use(used, reading(slot), buffer(slot));
        slot = (slot + 1) % MOST_UNDER_WAY;
      }
    } finally {
      for (; used < started; used++, slot = (slot + 1) % MOST_UNDER_WAY) {
        settle(reading(slot));
      }
      giveBack();
    }
  }

  /** Reads and uses all chunks of a reader, in the order of their numbers. */
  public void forEach(ChunkNumbers numbers, ChunkReader reader, Use use) throws IOException {
    forEach(numbers.all(), new Chunks(numbers, index -> index, reader), use);
  }

  /**
   * Reads and uses some chunks of a reader.
   *
   * @param which their numbers, in order
   */
  public void forEach(ChunkNumbers numbers, int[] which, ChunkReader reader, Use use)
      throws IOException {
    forEach(
        which.length,
        new Chunks(numbers, index -> which[index], reader),
        (index, reading, bytes) -> use.use(which[index], reading, bytes));
  }

  private record Chunks(ChunkNumbers numbers, IntUnaryOperator which, ChunkReader reader)
      implements Start {
    @Override
    public Reading start(int index, ByteBuffer into) throws IOException {
      int number = which.applyAsInt(index);
      return reader.start(numbers.region(number), numbers.chunk(number), into);
    }

    @Override
    public Optional<MappedBytes> staging(int bytes) {
      return reader.staging(bytes);
    }

    @Override
    public Optional<MappedBytes> inPlace(int index) throws IOException {
      int number = which.applyAsInt(index);
      return reader.inPlace(numbers.region(number), numbers.chunk(number));
    }
  }

  /** Whether the chunk lies in mapped memory, and was used there. */
  private static boolean useInPlace(int number, Start start, Use use) throws IOException {
    Optional<MappedBytes> found = start.inPlace(number);
    if (found.isEmpty()) {
      return false;
    }
    try (MappedBytes bytes = found.get()) {
      ByteBuffer all = bytes.buffer();
      use.use(number, Reading.DONE, all.position(all.limit()));
    }
    return true;
  }

  private boolean mayStart(int underWay, int slot) {
    return underWay == 0 || (underWay < MOST_UNDER_WAY && !reading(slot).isDone());
  }

  private Reading reading(int slot) {
    return Objects.requireNonNull(readings[slot]);
  }

  private ByteBuffer buffer(int slot, int number, Start start) {
    if (places != null) {
      buffers[slot] = places.apply(number);
    } else if (mayLend && lent[slot] == null) {
      Optional<MappedBytes> offered = start.staging(bufferBytes);
      mayLend = offered.isPresent();
      lent[slot] = offered.orElse(null);
      lentBuffers[slot] = offered.map(MappedBytes::buffer).orElse(null);
    }
    return buffer(slot);
  }

  private void giveBack() {
    for (int slot = 0; slot < MOST_UNDER_WAY; slot++) {
      MappedBytes bytes = lent[slot];
      if (bytes != null) {
        bytes.close();
      }
      lent[slot] = null;
      lentBuffers[slot] = null;
    }
  }

  private ByteBuffer buffer(int slot) {
    ByteBuffer buffer = lentBuffers[slot] == null ? buffers[slot] : lentBuffers[slot];
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
    } catch (IOException | RuntimeException e) {
      return; // the first failure is thrown
    }
  }
}
