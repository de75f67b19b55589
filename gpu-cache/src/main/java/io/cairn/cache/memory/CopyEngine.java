package io.cairn.cache.memory;

import java.nio.ByteBuffer;

/**
 * What copies to and from memory that it alone can address: a device, or the way to one that is
 * reached by messages. The package's documentation says when an event must be awaited.
 *
 * <p>Thread-safe. Both copies throw {@link IllegalArgumentException} for an address that is not
 * this engine's, and {@link IllegalStateException} after it was closed.
 */
public interface CopyEngine {
  /** The memory in a few words, for messages. */
  String describe();

  /**
   * Starts a copy of {@code target.bytes()} bytes to the memory that computes their CRC32C in the
   * same pass. May complete before it returns.
   *
   * @param sourceOffset in bytes; for arrays a multiple of the element's size, as must be the
   *     target's length
   */
  CopyEvent copyAndChecksumAsync(HostMemory source, long sourceOffset, DeviceAddress target);

  /**
   * Starts a copy from the memory into {@code target}, from its position to its limit; leaves both
   * as they are. May complete before it returns.
   *
   * @param target {@code target.remaining()} equals {@code source.bytes()}
   */
  CopyEvent copyToHostAsync(DeviceAddress source, ByteBuffer target);
}
