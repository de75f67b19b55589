package io.cairn.core.model;

import io.cairn.CheckpointId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Reads the chunks of one rank's checkpoint. The writer of the next level and the restore into the
 * application's memory use it, so that neither depends on the holder of the bytes.
 */
@FunctionalInterface
public interface ChunkReader {
  /**
   * Copies chunk {@code chunk} of region number {@code region} into {@code into}, from its position
   * on, and advances the position by the chunk's length. Verifies the bytes if it {@link
   * #verifies}.
   *
   * @throws IOException naming the source that could not be read
   */
  void read(int region, int chunk, ByteBuffer into) throws IOException;

  /**
   * Starts to read a chunk as {@link #read} does. A reader that can have several reads under way
   * returns before this one has ended; by default it has ended. {@code into} must not be touched
   * before {@link Reading#await} has returned, which advances its position.
   *
   * @throws IOException as {@link #read}; {@code into} is not used any more then
   */
  default Reading start(int region, int chunk, ByteBuffer into) throws IOException {
    read(region, chunk, into);
    return Reading.DONE;
  }

  /**
   * A buffer that takes chunks of this reader faster than others do.
   *
   * @param bytes 1 or more
   * @return a buffer of so many bytes, which the caller closes when no read into it is under way;
   *     empty if any other is as good, as by default
   */
  default Optional<MappedBytes> staging(int bytes) {
    return Optional.empty();
  }

  /**
   * Whether it has compared each chunk with its checksum when it returns the chunk, so that nobody
   * needs to compare it again.
   */
  default boolean verifies() {
    return false;
  }

  /**
   * The bytes of a chunk where they lie, so that nobody has to copy them. They do not change before
   * they are closed.
   *
   * @return read-only bytes, which the caller closes; empty if the chunk must be read, as it must
   *     by default
   * @throws IOException as {@link #read}
   */
  default Optional<MappedBytes> inPlace(int region, int chunk) throws IOException {
    return Optional.empty();
  }

  /**
   * The bytes of a chunk in memory that the host does not map, but whose device computes.
   *
   * @return bytes, which the caller closes; empty if the chunk must be read, as it must by default
   * @throws IOException as {@link #read}
   */
  default Optional<? extends HeldBytes> held(int region, int chunk) throws IOException {
    return Optional.empty();
  }

  /**
   * The hash of a chunk, if it is known without reading the chunk. A hash that is known was
   * computed of verified bytes.
   */
  default Optional<ContentHash> hash(int region, int chunk) {
    return Optional.empty();
  }

  /**
   * Whether it has an older checkpoint of its rank at hand now, so that {@link #equalsOlder} most
   * likely compares with it. No by default.
   */
  default boolean hasOlder(CheckpointId older) {
    return false;
  }

  /**
   * Whether a chunk has the same bytes in an older checkpoint of its rank, in the region of the
   * same name and shape. A reader that has both at hand compares them, and copies neither.
   *
   * @return false if they differ, or cannot be compared, as by default
   * @throws IOException as {@link #read}
   */
  default boolean equalsOlder(CheckpointId older, int region, int chunk) throws IOException {
    return false;
  }

  /** One read. Not thread-safe. */
  interface Reading {
    /** A read that ended well. */
    Reading DONE =
        new Reading() {
          @Override
          public boolean isDone() {
            return true;
          }

          @Override
          public void await() {}
        };

    /** Whether {@link #await} would return or throw at once. Never blocks. */
    boolean isDone();

    /**
     * Waits until the read has ended, well or badly. An interruption does not end the wait. May be
     * called again.
     *
     * @throws IOException naming the chunk that could not be read
     */
    void await() throws IOException;
  }
}
