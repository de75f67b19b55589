package io.cairn.cache.memory;

import io.cairn.Region;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Memory that the host reads and writes. Arrays are copied in native byte order. A copy may begin
 * and end within an element.
 */
public sealed interface HostMemory extends CaptureSource
    permits ArrayMemory, BufferMemory, GatheredHost {
  /**
   * Copies {@code length} bytes from {@code offset} on into {@code target}. Allocates nothing.
   *
   * @param offset in bytes
   * @throws IndexOutOfBoundsException if either span is out of bounds
   */
  void copyTo(long offset, NativeSpan target, int targetOffset, int length);

  /**
   * The inverse of {@link #copyTo}, with the same rules. Threads may write different bytes of one
   * element at once.
   */
  void copyFrom(long offset, NativeSpan source, int sourceOffset, int length);

  @Override
  default HostMemory requireHost(CopyEngine engine) {
    return this;
  }

  /** All of an array, such as a blob's. */
  static HostMemory of(byte[] array) {
    return new ArrayMemory(ArrayKind.BYTE, array, 0, array.length);
  }

  /**
   * All of a buffer, whatever its position; direct ones are copied faster.
   *
   * @throws IllegalArgumentException if it is read-only
   */
  static HostMemory of(ByteBuffer buffer) {
    return HostMemoryKinds.detect("buffer", buffer);
  }

  /**
   * The bytes between a buffer's position and its limit, as a source only; the buffer may be
   * read-only.
   */
  static HostMemory source(ByteBuffer bytes) {
    ByteBuffer part = bytes.slice();
    return new BufferMemory(List.of(part), part.capacity(), part.capacity(), bytes);
  }

  /**
   * The memory that a region names.
   *
   * @throws IllegalArgumentException naming the region and the kinds that can be captured; if it is
   *     of another kind, is read-only, or is a pointer of a JavaCPP that Cairn does not see
   */
  static HostMemory of(Region.Memory region) {
    return HostMemoryKinds.detect(region.name(), region.memory());
  }

  /** The memory that a region names by its address. */
  static HostMemory of(Region.Address region) {
    return HostMemoryKinds.ofAddress(region);
  }
}
