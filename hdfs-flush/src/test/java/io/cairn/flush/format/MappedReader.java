package io.cairn.flush.format;

import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.MappedBytes;
import java.nio.ByteBuffer;
import java.util.Optional;

/** A reader whose chunks lie in mapped memory: it copies none. Counts the bytes in use. */
public final class MappedReader implements ChunkReader {
  private final SampleRank sample;
  private int open;

  /** Reads the chunks of a sample, as it is now. */
  public MappedReader(SampleRank sample) {
    this.sample = sample;
  }

  /** Chunks that are in use. */
  public int open() {
    return open;
  }

  @Override
  public void read(int region, int chunk, ByteBuffer into) {
    throw new AssertionError("region " + region + ", chunk " + chunk + " was copied");
  }

  @Override
  public Optional<MappedBytes> inPlace(int region, int chunk) {
    int length = sample.images().get(region).chunkLength(chunk);
    int from = chunk * sample.images().get(region).chunkBytes();
    ByteBuffer bytes = ByteBuffer.allocateDirect(length);
    bytes.put(0, sample.contents().get(region), from, length);
    open++;
    return Optional.of(
        new MappedBytes() {
          @Override
          public ByteBuffer buffer() {
            return bytes.asReadOnlyBuffer();
          }

          @Override
          public void close() {
            open--;
          }
        });
  }
}
