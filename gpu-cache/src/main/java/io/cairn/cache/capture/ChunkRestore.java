package io.cairn.cache.capture;

import io.cairn.cache.memory.CaptureSource;
import io.cairn.cache.memory.DeviceBytes;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.DeviceResident;
import io.cairn.core.model.ChunkNumbers;
import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.HeldBytes;
import io.cairn.core.model.ReadAhead;
import io.cairn.core.model.RegionImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Copies a checkpoint's chunks into the application's memory, each after it was verified. Several
 * reads are under way where the reader can. Not thread-safe.
 */
final class ChunkRestore {
  private final List<RegionImage> images;
  private final ChunkReader reader;
  private final ReadAhead ahead;
  private final DeviceMemory device;
  private final CRC32C crc = new CRC32C();

  ChunkRestore(
      DeviceMemory device, List<RegionImage> images, ChunkReader reader, ByteBuffer staging) {
    this.device = device;
    this.images = images;
    this.reader = reader;
    this.ahead = new ReadAhead(staging.duplicate());
    for (RegionImage image : images) {
      if (image.chunks() > 0 && image.chunkLength(0) > staging.capacity()) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "region %s: chunks of %d bytes do not fit into a staging buffer of %d",
                image.name(),
                image.chunkLength(0),
                staging.capacity()));
      }
    }
  }

  /** Copies the chunks from number {@code first} to {@code end - 1}. */
  void into(List<CaptureSource> targets, int first, int end) throws IOException {
    ChunkNumbers numbers = new ChunkNumbers(images);
    int[] rest = unheld(numbers, targets, first, end);
    try (RegionWriter writer = new RegionWriter(device)) {
      ahead.forEach(
          numbers,
          rest,
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
  }

  /** Lets the device restore what it holds; the numbers of the other chunks. */
  private int[] unheld(ChunkNumbers numbers, List<CaptureSource> targets, int first, int end)
      throws IOException {
    int[] rest = new int[end - first];
    int count = 0;
    for (int number = first; number < end; number++) {
      int region = numbers.region(number);
      if (!(targets.get(region) instanceof DeviceResident target)
          || !isRestored(region, numbers.chunk(number), target)) {
        rest[count++] = number;
      }
    }
    return Arrays.copyOf(rest, count);
  }

  private boolean isRestored(int region, int chunk, DeviceResident target) throws IOException {
    RegionImage image = images.get(region);
    Optional<? extends HeldBytes> held = reader.held(region, chunk);
    if (held.isEmpty()) {
      return false;
    }
    try (HeldBytes found = held.get()) {
      if (!(found instanceof DeviceBytes bytes)) {
        return false;
      }
      int checksum = reader.verifies() ? image.checksum(chunk) : bytes.checksum();
      requireSame(image, chunk, checksum, image.chunkLength(chunk));
      bytes.copyTo(target, (long) chunk * image.chunkBytes());
      return true;
    }
  }

  private void verify(RegionImage image, int chunk, ByteBuffer staged) throws IOException {
    int found = reader.verifies() ? image.checksum(chunk) : checksum(staged);
    requireSame(image, chunk, found, staged.limit());
  }

  private static void requireSame(RegionImage image, int chunk, int found, int bytes)
      throws IOException {
    int length = image.chunkLength(chunk);
    if (bytes != length || found != image.checksum(chunk)) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "region %s, chunk %d: checksum %08x expected, %08x found in %d bytes of %d",
              image.name(),
              chunk,
              image.checksum(chunk),
              found,
              bytes,
              length));
    }
  }

  private int checksum(ByteBuffer staged) {
    crc.reset();
    crc.update(staged);
    return (int) crc.getValue();
  }
}
