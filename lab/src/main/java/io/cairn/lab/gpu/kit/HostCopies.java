package io.cairn.lab.gpu.kit;

import io.cairn.cache.chunk.Place;
import io.cairn.core.model.ChunkReader.Reading;
import io.cairn.core.model.ReadAhead;
import io.cairn.lab.measure.Bar;
import io.cairn.lab.measure.Middle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Copies of captured chunks to pinned memory of the host: by Cairn's device as a flush reads them,
 * and by the driver, which has all of them under way at once. The clock is the host's, which also
 * ends both.
 */
final class HostCopies {
  private static final long MOST_BYTES = 1L << 30;
  private static final double PERCENT = 90;

  private final Gpu gpu;
  private final DeviceCaptures captures;
  private final int rounds;
  private final int chunks;
  private final long pinned;
  private final ByteBuffer buffer;
  private final long stream;

  /** Copies chunk by chunk. */
  private interface Copying {
    void run() throws IOException, InterruptedException;
  }

  HostCopies(Gpu gpu, DeviceCaptures captures, int rounds) throws GpuException {
    this.gpu = gpu;
    this.captures = captures;
    this.rounds = rounds;
    int chunkBytes = captures.chunkBytes();
    chunks = (int) Math.min(captures.chunks(), MOST_BYTES / chunkBytes);
    pinned = gpu.allocateHost((long) chunks * chunkBytes);
    buffer = Gpu.bytes(pinned, (long) chunks * chunkBytes);
    stream = gpu.stream();
  }

  void measure(Findings findings) throws IOException, InterruptedException {
    double bare = median(this::copyBare);
    double cairn = median(this::copyByCairn);
    double bytes = (double) chunks * captures.chunkBytes();
    findings.figure("bare copies to pinned memory", bytes / bare, "GB/s");
    findings.figure("copies to pinned memory", bytes / cairn, "GB/s");
    Bar bar = Bar.atLeast("copies to pinned memory beside bare ones", 100 * bare / cairn, PERCENT);
    findings.figure(bar, "%");
  }

  private double median(Copying copying) throws IOException, InterruptedException {
    List<Double> nanos = new ArrayList<>();
    for (int round = 0; round <= rounds; round++) {
      long began = System.nanoTime();
      copying.run();
      if (round > 0) {
        nanos.add((double) (System.nanoTime() - began));
      }
    }
    return Middle.of(nanos);
  }

  private void copyBare() throws GpuException {
    int length = captures.chunkBytes();
    for (long at = 0; at < (long) chunks * length; at += length) {
      gpu.call("cuMemcpyDtoHAsync_v2", pinned + at, captures.source() + at, (long) length, stream);
    }
    gpu.await(stream);
  }

  /** As a flush reads a checkpoint: several copies are under way. */
  private void copyByCairn() throws IOException {
    int length = captures.chunkBytes();
    ReadAhead.into(chunk -> buffer.slice(chunk * length, length))
        .forEach(chunks, this::start, (chunk, reading, bytes) -> reading.await());
  }

  private Reading start(int chunk, ByteBuffer into) throws IOException {
    return new Place(captures.device(), captures.target(chunk)).read(into.remaining(), into);
  }
}
