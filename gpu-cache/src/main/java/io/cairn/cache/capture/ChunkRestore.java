package io.cairn.cache.capture;

import io.cairn.cache.memory.HostMemory;
import io.cairn.cache.memory.NativeSpan;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.RegionImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32C;

/** Copies a checkpoint's chunks into the application's memory, one after the other, verified. */
final class ChunkRestore {
  private final List<RegionImage> images;
  private final ChunkReader reader;
  private final ByteBuffer staging;
  private final NativeSpan span;
  private final CRC32C crc = new CRC32C();

  ChunkRestore(List<RegionImage> images, ChunkReader reader, ByteBuffer staging) {
    this.images = images;
    this.reader = reader;
    this.staging = staging.duplicate();
    span = new NativeSpan(staging);
    for (RegionImage image : images) {
      if (image.chunks() > 0 && image.chunkLength(0) > staging.capacity()) {
        throw new IllegalArgumentException(
            "region %s: chunks of %d bytes do not fit into a staging buffer of %d"
                .formatted(image.name(), image.chunkLength(0), staging.capacity()));
      }
    }
  }

  long into(List<HostMemory> targets) throws IOException {
    long bytes = 0;
    for (int region = 0; region < images.size(); region++) {
      RegionImage image = images.get(region);
      for (int chunk = 0; chunk < image.chunks(); chunk++) {
        int length = readVerified(region, chunk);
        long offset = (long) chunk * image.chunkBytes();
        targets.get(region).copyFrom(offset, span, 0, length);
        bytes += length;
      }
    }
    return bytes;
  }

  private int readVerified(int region, int chunk) throws IOException {
    RegionImage image = images.get(region);
    int length = image.chunkLength(chunk);
    reader.read(region, chunk, staging.clear().limit(length));
    crc.reset();
    crc.update(staging.flip());
    int found = (int) crc.getValue();
    if (staging.limit() != length || found != image.checksum(chunk)) {
      throw new IOException(
          "region %s, chunk %d: checksum %08x expected, %08x found in %d bytes of %d"
              .formatted(
                  image.name(), chunk, image.checksum(chunk), found, staging.limit(), length));
    }
    return length;
  }
}
