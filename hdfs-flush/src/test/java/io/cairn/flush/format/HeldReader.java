package io.cairn.flush.format;

import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.HeldBytes;
import io.cairn.core.model.MappedBytes;
import io.cairn.core.model.RegionImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.zip.CRC32C;

/** A reader whose chunks a device holds: the host reads none. Counts the chunks in use. */
public final class HeldReader implements ChunkReader {
  private final SampleRank sample;
  private int open;
  private boolean dead;

  /** Holds the chunks of a sample, as they are when they are asked for. */
  public HeldReader(SampleRank sample) {
    this.sample = sample;
  }

  /** Chunks that are in use. */
  public int open() {
    return open;
  }

  /** From now on the device does not answer. */
  public void die() {
    dead = true;
  }

  @Override
  public void read(int region, int chunk, ByteBuffer into) {
    throw new AssertionError("region " + region + ", chunk " + chunk + " was read");
  }

  @Override
  public Optional<MappedBytes> staging(int bytes) {
    return Optional.of(new Staging(ByteBuffer.allocate(bytes)));
  }

  private record Staging(ByteBuffer buffer) implements MappedBytes {
    @Override
    public void close() {}
  }

  @Override
  public Optional<HeldBytes> held(int region, int chunk) {
    open++;
    return Optional.of(new Held(region, chunk));
  }

  private final class Held implements HeldBytes {
    private final int region;
    private final int chunk;

    Held(int region, int chunk) {
      this.region = region;
      this.chunk = chunk;
    }

    @Override
    public int checksum() throws IOException {
      if (dead) {
        throw new IOException("the device does not answer");
      }
      RegionImage image = sample.images().get(region);
      CRC32C crc = new CRC32C();
      int from = chunk * image.chunkBytes();
      crc.update(sample.contents().get(region), from, image.chunkLength(chunk));
      return (int) crc.getValue();
    }

    @Override
    public void close() {
      open--;
    }
  }
}
