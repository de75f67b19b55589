package io.cairn.cache.capture;

import io.cairn.cache.memory.CaptureSource;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.core.model.ChunkNumbers;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.ReadAhead;
import io.cairn.core.model.RegionImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Copies a checkpoint's chunks into the application's memory, each after it was verified. Several
 * reads are under way where the reader can. Not thread-safe.
 */
final class ChunkRestore {
  private final List<RegionImage> images;
  private final ChunkReader reader;
  private final ReadAhead ahead;
  private final RegionWriter writer;
  private final CRC32C crc = new CRC32C();

  ChunkRestore(
      DeviceMemory device, List<RegionImage> images, ChunkReader reader, ByteBuffer staging) {
    this.writer = new RegionWriter(device);
    this.images = images;
    this.reader = reader;
    this.ahead = new ReadAhead(staging.duplicate());
    for (RegionImage image : images) {
      if (image.chunks() > 0 && image.chunkLength(0) > staging.capacity()) {
        throw new IllegalArgumentException(
            "region %s: chunks of %d bytes do not fit into a staging buffer of %d"
                .formatted(image.name(), image.chunkLength(0), staging.capacity()));
      }
    }
  }

  /** Copies the chunks from number {@code first} to {@code end - 1}. */
  void into(List<CaptureSource> targets, int first, int end) throws IOException {
    ChunkNumbers numbers = new ChunkNumbers(images);
    ahead.forEach(
        numbers,
        first,
        end,
        reader,
        (number, reading, staged) -> {
          int region = numbers.region(number);
          int chunk = number - numbers.of(region, 0);
          reading.await();
          verify(images.get(region), chunk, staged.flip());
          long offset = (long) chunk * images.get(region).chunkBytes();
          writer.write(staged.rewind(), 0, staged.limit(), targets.get(region), offset);
        });
  }

  private void verify(RegionImage image, int chunk, ByteBuffer staged) throws IOException {
    int length = image.chunkLength(chunk);
    int found = reader.verifies() ? image.checksum(chunk) : checksum(staged);
    if (staged.limit() != length || found != image.checksum(chunk)) {
      throw new IOException(
          "region %s, chunk %d: checksum %08x expected, %08x found in %d bytes of %d"
              .formatted(
                  image.name(), chunk, image.checksum(chunk), found, staged.limit(), length));
    }
  }

  private int checksum(ByteBuffer staged) {
    crc.reset();
    crc.update(staged);
    return (int) crc.getValue();
  }
}
