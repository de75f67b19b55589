package io.cairn.cache.memory;

/**
 * Chunks that one call copies to memory of one device, in the order in which they were added. Built
 * by one thread; not changed once an engine has it.
 */
public final class CopyBatch {
  private final CaptureSource[] sources;
  private final long[] offsets;
  private final DeviceAddress[] targets;
  private int chunks;
  private long bytes;

  /**
   * An empty batch.
   *
   * @param capacity how many chunks it takes at most, 1 or more
   */
  public CopyBatch(int capacity) {
    sources = new CaptureSource[capacity];
    offsets = new long[capacity];
    targets = new DeviceAddress[capacity];
  }

  /** A batch of one chunk; parameters as in {@link #add}. */
  public static CopyBatch of(CaptureSource source, long sourceOffset, DeviceAddress target) {
    return new CopyBatch(1).add(source, sourceOffset, target);
  }

  /**
   * Adds a chunk.
   *
   * @param sourceOffset in bytes
   * @param target of the same {@linkplain DeviceAddress#device() device} as the others; it overlaps
   *     none of them
   * @throws IllegalArgumentException if the target is of another device
   * @throws IndexOutOfBoundsException if the chunk is not within its source
   */
  public CopyBatch add(CaptureSource source, long sourceOffset, DeviceAddress target) {
    if (chunks > 0 && target.device() != device()) {
      throw new IllegalArgumentException(target + " in a batch for device " + device());
    }
    if (sourceOffset < 0 || target.bytes() > source.bytes() - sourceOffset) {
      throw new IndexOutOfBoundsException(
          target.bytes() + " bytes from " + sourceOffset + " on of " + source);
    }
    sources[chunks] = source;
    offsets[chunks] = sourceOffset;
    targets[chunks] = target;
    bytes += target.bytes();
    chunks++;
    return this;
  }

  /** How many chunks it takes at most. */
  public int capacity() {
    return sources.length;
  }

  /** How many chunks it holds; they are numbered from 0. */
  public int chunks() {
    return chunks;
  }

  /** Bytes of all chunks. */
  public long bytes() {
    return bytes;
  }

  /** The number of the device that all targets are of; undefined before the first is added. */
  public long device() {
    return targets[0].device();
  }

  /** Where a chunk is copied from. */
  public CaptureSource source(int chunk) {
    return sources[chunk];
  }

  /** Where a chunk begins in its source, in bytes. */
  public long sourceOffset(int chunk) {
    return offsets[chunk];
  }

  /** Where a chunk is copied to; as long as the chunk. */
  public DeviceAddress target(int chunk) {
    return targets[chunk];
  }
}
