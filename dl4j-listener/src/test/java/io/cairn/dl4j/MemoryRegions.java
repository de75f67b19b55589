package io.cairn.dl4j;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;

/** The regions of a checkpoint in memory, as a store holds them. */
record MemoryRegions(Map<String, byte[]> image) implements SavedRegions {
  /** Those of the newest checkpoint. */
  static MemoryRegions newest(MemoryCheckpoints checkpoints) {
    return new MemoryRegions(checkpoints.checkpoints.lastEntry().getValue());
  }

  @Override
  public long bytes(String region) {
    byte[] bytes = image.get(region);
    return bytes == null ? -1 : bytes.length;
  }

  @Override
  public void read(String region, Sink into) {
    into.take(ByteBuffer.wrap(Objects.requireNonNull(image.get(region))));
  }
}
