package io.cairn.cache.capture;

import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.RegionImage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;

/** One rank's checkpoint in arrays, which counts the reads of its chunks. */
final class SavedRank implements ChunkReader {
  private final int chunkBytes;
  private final Map<String, byte[]> regions = new LinkedHashMap<>();
  private final List<String> read = new ArrayList<>();
  final Fingerprint program;

  SavedRank(int chunkBytes, Fingerprint program) {
    this.chunkBytes = chunkBytes;
    this.program = program;
  }

  SavedRank with(String region, byte[] bytes) {
    regions.put(region, bytes);
    return this;
  }

  SavedRank with(String region, int[] elements) {
    ByteBuffer bytes =
        ByteBuffer.allocate(elements.length * Integer.BYTES).order(ByteOrder.nativeOrder());
    bytes.asIntBuffer().put(elements);
    return with(region, bytes.array());
  }

  List<RegionImage> images() {
    List<RegionImage> images = new ArrayList<>();
    regions.forEach(
        (name, bytes) -> {
          int[] checksums = new int[RegionImage.chunks(bytes.length, chunkBytes)];
          for (int chunk = 0; chunk < checksums.length; chunk++) {
            CRC32C crc = new CRC32C();
            crc.update(chunk(bytes, chunk));
            checksums[chunk] = (int) crc.getValue();
          }
          images.add(new RegionImage(name, bytes.length, chunkBytes, checksums));
        });
    return images;
  }

  private ByteBuffer chunk(byte[] bytes, int chunk) {
    int first = chunk * chunkBytes;
    return ByteBuffer.wrap(bytes, first, Math.min(chunkBytes, bytes.length - first));
  }

  /** The chunks that were read, such as {@code w 3}. */
  List<String> read() {
    return read;
  }

  @Override
  public boolean verifies() {
    return true;
  }

  @Override
  public void read(int region, int chunk, ByteBuffer into) {
    String name = List.copyOf(regions.keySet()).get(region);
    read.add(name + " " + chunk);
    into.put(chunk(List.copyOf(regions.values()).get(region), chunk));
  }
}
