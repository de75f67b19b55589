package io.cairn.lab.bench.listener;

import io.cairn.lab.measure.Samples;
import java.nio.ByteBuffer;

/**
 * The yardstick: one thread copies so many bytes between two direct buffers whose pages are all
 * present. Not thread-safe.
 */
final class PlainCopy {
  private static final int PAGE_BYTES = 4096;

  private final ByteBuffer source;
  private final ByteBuffer target;
  private final Samples samples = new Samples();

  PlainCopy(long bytes) {
    source = touched(Math.toIntExact(bytes));
    target = touched(Math.toIntExact(bytes));
  }

  private static ByteBuffer touched(int bytes) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(bytes);
    for (int k = 0; k < bytes; k += PAGE_BYTES) {
      buffer.put(k, (byte) 1);
    }
    return buffer;
  }

  void measure() {
    long start = System.nanoTime();
    target.put(0, source, 0, source.capacity());
    samples.add(System.nanoTime() - start);
  }

  double medianMillis() {
    return samples.quantileMillis(0.5);
  }
}
