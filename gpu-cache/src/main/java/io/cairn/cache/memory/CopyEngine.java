package io.cairn.cache.memory;

import io.cairn.core.model.MappedBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * Copies to and from memory that it alone can address: a device's, or a peer's that is reached by
 * messages. The package's documentation says when an event must be awaited.
 *
 * <p>Thread-safe. All copies throw {@link IllegalArgumentException} for an address that is not this
 * engine's, and {@link IllegalStateException} after it was closed.
 */
public interface CopyEngine {
  /** The memory in a few words, for messages. */
  String describe();

  /**
   * Starts to copy chunks to the memory, and computes the CRC32C of each in the same pass. May
   * complete before it returns. If it throws, no copy of the batch is under way.
   *
   * @param batch at least one chunk
   * @return one event for all chunks; its checksums are numbered as the chunks are
   * @throws IllegalArgumentException naming the region, this engine and the remedy, if a source
   *     lies on a device that this engine does not reach
   */
  CopyEvent copyAndChecksumAsync(CopyBatch batch);

  /**
   * Starts copies as {@link #copyAndChecksumAsync(CopyBatch)} does, but no work of the application
   * on a device waits for them before {@link CopyEvent#freeSources} is called. So the application
   * may go on, as long as it writes no source. By default the same as the other.
   */
  default CopyEvent copyBesideAsync(CopyBatch batch) {
    return copyAndChecksumAsync(batch);
  }

  /** Starts to copy one chunk, as {@link #copyAndChecksumAsync(CopyBatch)} does. */
  default CopyEvent copyAndChecksumAsync(
      CaptureSource source, long sourceOffset, DeviceAddress target) {
    return copyAndChecksumAsync(CopyBatch.of(source, sourceOffset, target));
  }

  /**
   * Starts a copy from the memory into {@code target}, from its position to its limit; leaves both
   * as they are. May complete before it returns.
   *
   * @param target {@code target.remaining()} equals {@code source.bytes()}
   */
  CopyEvent copyToHostAsync(DeviceAddress source, ByteBuffer target);

  /**
   * A buffer of the host that takes copies from this memory faster than others do. The device of a
   * GPU lends pinned memory, to which copies need no thread.
   *
   * @param bytes 1 or more
   * @return a buffer of so many bytes with any content, which the caller closes when no copy uses
   *     it; empty if there is none to spare, and by default
   */
  default Optional<MappedBytes> staging(int bytes) {
    return Optional.empty();
  }

  /**
   * The bytes at an address where they lie, if they are memory of this process that the host maps.
   * The caller uses them under the rules for copies: nobody reads what is being written.
   *
   * @return writable bytes, which the caller closes; empty for the memory of a GPU or of a peer,
   *     and by default
   */
  default Optional<MappedBytes> inPlace(DeviceAddress address) {
    return Optional.empty();
  }

  /**
   * The bytes at an address that the host does not map, for a device that computes. The caller uses
   * them under the rules for copies.
   *
   * @return bytes that need not be closed; empty by default, and for memory that is lent
   *     {@linkplain #inPlace in place}
   */
  default Optional<DeviceBytes> held(DeviceAddress address) {
    return Optional.empty();
  }

  /**
   * Compares two spans of one length where they lie, and waits for the result. A device that
   * computes compares them itself, so that no byte of them passes through the host.
   *
   * @return whether both hold the same bytes; empty if they cannot be compared, as by default where
   *     the host does not map them
   * @throws IOException naming the memory and the cause, if the comparison failed
   */
  default Optional<Boolean> equal(DeviceAddress one, DeviceAddress other) throws IOException {
    Optional<MappedBytes> found = inPlace(one);
    if (found.isEmpty()) {
      return Optional.empty();
    }
    try (MappedBytes bytes = found.get()) {
      return inPlace(other).map(others -> equalAndClosed(bytes, others));
    }
  }

  private static boolean equalAndClosed(MappedBytes bytes, MappedBytes others) {
    try (others) {
      return bytes.buffer().mismatch(others.buffer()) < 0;
    }
  }
}
