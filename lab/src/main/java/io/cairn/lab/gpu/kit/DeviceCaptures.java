package io.cairn.lab.gpu.kit;

import io.cairn.DeviceName;
import io.cairn.ReadyAfter;
import io.cairn.Region;
import io.cairn.cache.memory.CopyBatch;
import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceResident;
import io.cairn.cache.memory.cuda.CudaDevice;
import io.cairn.lab.measure.Bar;
import io.cairn.lab.measure.Middle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Captures of memory on the GPU by Cairn's device, in one batch of chunks as the engine makes them,
 * and copies of half of it by the driver.
 */
final class DeviceCaptures {
  private static final int ROUNDS_BEFORE = 10;
  private static final double HOST_MICROS = 102; // 100 for a capture, and 2 for its one batch

  private final Gpu gpu;
  private final CudaDevice device;
  private final DeviceName name;
  private final long source;
  private final long bytes;
  private final int chunkBytes;
  private final DeviceAddress target;
  private final List<Double> hostMicros = new ArrayList<>();
  private @Nullable CopyEvent last;

  /**
   * Allocates source and target.
   *
   * @param bytes a multiple of {@code chunkBytes}
   */
  DeviceCaptures(Gpu gpu, CudaDevice device, int ordinal, long bytes, int chunkBytes)
      throws IOException {
    this.gpu = gpu;
    this.device = device;
    this.bytes = bytes;
    this.chunkBytes = chunkBytes;
    name = new DeviceName("cuda", ordinal);
    source = gpu.allocate(bytes);
    target = device.allocate(bytes);
  }

  CudaDevice device() {
    return device;
  }

  long source() {
    return source;
  }

  long bytes() {
    return bytes;
  }

  int chunkBytes() {
    return chunkBytes;
  }

  DeviceAddress target(int chunk) {
    return target.slice((long) chunk * chunkBytes, chunkBytes);
  }

  int chunks() {
    return (int) (bytes / chunkBytes);
  }

  /** Starts the driver's copy of one half over the other. */
  void copyHalf(long stream) throws GpuException {
    gpu.call("cuMemcpyDtoDAsync_v2", source + bytes / 2, source, bytes / 2, stream);
  }

  /** Starts a capture; the one before, which has ended, gives back what it used of the device. */
  CopyEvent capture(ReadyAfter after) {
    if (last != null && !last.isDone()) {
      throw new IllegalStateException("a capture began before the one before had ended");
    }
    Region.OnDevice region = new Region.OnDevice("bench", name, source, bytes, after, gpu);
    DeviceResident resident = new DeviceResident(region);
    long began = System.nanoTime();
    CopyBatch batch = new CopyBatch(chunks());
    for (int chunk = 0; chunk < chunks(); chunk++) {
      batch.add(resident, (long) chunk * chunkBytes, target(chunk));
    }
    CopyEvent event = device.copyAndChecksumAsync(batch);
    hostMicros.add((System.nanoTime() - began) / 1e3);
    last = event;
    return event;
  }

  /**
   * Measures how long the calling thread is busy with a capture, the batch's making included, once
   * the JVM has compiled it.
   */
  void measureHostCost(Findings findings, long stream, int rounds) throws Exception {
    for (int i = 0; i < ROUNDS_BEFORE * rounds; i++) {
      capture(new ReadyAfter.Stream(stream)).await();
    }
    hostMicros.clear();
    for (int i = 0; i < rounds; i++) {
      capture(new ReadyAfter.Stream(stream)).await();
    }
    Bar bar = Bar.atMost("host cost of a capture", Middle.of(hostMicros), HOST_MICROS);
    findings.figure(bar, "us");
  }

  /** Captures known bytes, and checks first and last chunk with their checksums. */
  void verify(long stream) throws IOException, InterruptedException {
    byte[] first = gpu.download(source, chunkBytes);
    for (int i = 0; i < first.length; i++) {
      first[i] = (byte) (i * 31 + i / 251);
    }
    gpu.upload(source, first);
    CopyEvent event = capture(new ReadyAfter.Stream(stream));
    event.await();
    for (int chunk : new int[] {0, chunks() - 1}) {
      byte[] expected = gpu.download(source + (long) chunk * chunkBytes, chunkBytes);
      CRC32C crc = new CRC32C();
      crc.update(expected);
      ByteBuffer found = ByteBuffer.allocateDirect(chunkBytes);
      device.copyToHostAsync(target(chunk), found).await();
      if ((int) crc.getValue() != event.checksum(chunk)
          || found.mismatch(ByteBuffer.wrap(expected)) >= 0) {
        throw new IOException("chunk " + chunk + " of the measured capture has other bytes");
      }
    }
  }
}
