package io.cairn.engine.runtime;

import io.cairn.Region;
import io.cairn.cache.memory.CaptureSource;
import io.cairn.cache.memory.CompletedCopy;
import io.cairn.cache.memory.CopyBatch;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.ExportedMemory;
import io.cairn.cache.memory.ExtentAllocator;
import io.cairn.cache.memory.HugeMemory;
import io.cairn.cache.memory.NativeSpan;
import io.cairn.flush.format.SparseFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * A device of many gigabytes that keeps no pages of zeros. It reaches a {@link HugeMemory}, as the
 * owner of a region, and shares its memory with no process.
 */
final class SparseDevice implements DeviceMemory {
  private static final long WINDOW_BYTES = 1L << 30;
  private static final int MOST_CHUNK_BYTES = 1 << 20;

  private final long number = DeviceAddress.newDevice();
  private final SparseFile bytes = new SparseFile();
  private final ExtentAllocator extents;

  SparseDevice(long capacityBytes) {
    extents = new ExtentAllocator(describe(), capacityBytes, WINDOW_BYTES);
  }

  /** A region over all of a memory. */
  static Region region(String name, HugeMemory memory) {
    return Region.of(name, 1, memory.source().bytes(), memory);
  }

  @Override
  public CaptureSource locate(Region.Span region) {
    return region instanceof Region.Address address && address.owner() instanceof HugeMemory memory
        ? memory.source()
        : CaptureSource.of(region).requireHost(this);
  }

  @Override
  public String describe() {
    return "sparse device";
  }

  @Override
  public DeviceAddress allocate(long length) throws IOException {
    return new DeviceAddress(number, extents.allocate(length), length);
  }

  @Override
  public void free(DeviceAddress address) {
    extents.free(address.offset(), address.bytes());
  }

  @Override
  public CopyEvent copyAndChecksumAsync(CopyBatch batch) {
    NativeSpan chunk = new NativeSpan(ByteBuffer.allocateDirect(MOST_CHUNK_BYTES));
    int[] checksums = new int[batch.chunks()];
    CRC32C crc = new CRC32C();
    for (int i = 0; i < checksums.length; i++) {
      DeviceAddress target = batch.target(i);
      int length = Math.toIntExact(target.bytes());
      batch.source(i).requireHost(this).copyTo(batch.sourceOffset(i), chunk, 0, length);
      crc.reset();
      crc.update(chunk.bytes().duplicate().limit(length));
      checksums[i] = (int) crc.getValue();
      bytes.write(target.offset(), chunk.bytes().duplicate().limit(length));
    }
    return new CompletedCopy(checksums);
  }

  @Override
  public CopyEvent copyToHostAsync(DeviceAddress source, ByteBuffer target) {
    bytes.read(source.offset(), target.duplicate());
    return CompletedCopy.TO_HOST;
  }

  @Override
  public ExportedMemory export(DeviceAddress address) {
    throw new UnsupportedOperationException(describe() + " is not shared");
  }

  @Override
  public Opened open(ExportedMemory handle) throws IOException {
    throw new IOException(describe() + " is not shared");
  }

  @Override
  public void close() {}
}
