package io.cairn.lab.bench.flush;

import io.cairn.Checkpointer;
import io.cairn.Region;
import io.cairn.lab.measure.Scratch;
import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** The state of a training: direct buffers of random bytes, whose pages are all present. */
final class FlushedState {
  /** A cadence that nothing reaches. */
  static final String NEVER = "1000000";

  static final int CHUNK_BYTES = 4 << 20;
  private static final int REGION_MIB = 256;

  private final List<ByteBuffer> regions = new ArrayList<>();

  FlushedState(int mib) {
    SplittableRandom random = new SplittableRandom(mib);
    for (int left = mib; left > 0; left -= REGION_MIB) {
      ByteBuffer region = ByteBuffer.allocateDirect(Math.min(left, REGION_MIB) << 20);
      LongBuffer longs = region.duplicate().asLongBuffer();
      while (longs.hasRemaining()) {
        longs.put(random.nextLong());
      }
      regions.add(region);
    }
  }

  long bytes() {
    return regions.stream().mapToLong(ByteBuffer::capacity).sum();
  }

  void protectBy(Checkpointer checkpointer) {
    for (int number = 0; number < regions.size(); number++) {
      checkpointer.protect(Region.of("region-" + number, regions.get(number)));
    }
  }

  /** The chunks in order, each as a view that the caller may consume. */
  List<ByteBuffer> chunks() {
    List<ByteBuffer> chunks = new ArrayList<>();
    for (ByteBuffer region : regions) {
      for (int from = 0; from < region.capacity(); from += CHUNK_BYTES) {
        chunks.add(region.slice(from, Math.min(CHUNK_BYTES, region.capacity() - from)));
      }
    }
    return chunks;
  }

  /** Changes every chunk. */
  void change() {
    chunks().forEach(chunk -> chunk.put(0, (byte) (chunk.get(0) + 1)));
  }

  /** Changes this part of the chunks, at least one, by chance. */
  void change(int percent, SplittableRandom random) {
    List<ByteBuffer> left = chunks();
    for (int changes = Math.max(1, left.size() * percent / 100); changes > 0; changes--) {
      ByteBuffer chunk = left.remove(random.nextInt(left.size()));
      chunk.put(0, (byte) (chunk.get(0) + 1));
    }
  }

  /** Settings of a training with a cache for so many of these states; the caller adds to them. */
  Map<String, String> settings(Scratch scratch, int cached) {
    Map<String, String> settings = scratch.settings("bench-flush");
    settings.put("device.cacheSize", String.valueOf(cached * bytes()));
    settings.put("chunkSize", String.valueOf(CHUNK_BYTES));
    settings.put("device.every", "1");
    settings.put("node.every", "1");
    settings.put("store.every", NEVER);
    settings.put("keep", "1");
    settings.put("queueSize", "16g");
    return settings;
  }
}
