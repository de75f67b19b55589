package io.cairn.flush.format;

import io.cairn.core.model.ChunkReader;
import io.cairn.core.model.RegionImage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/** One rank's made-up regions: their bytes, and their images as a capture would give them. */
public record SampleRank(int rank, List<byte[]> contents, List<RegionImage> images) {
  /** Regions with these contents, named r0, r1 and so on. */
  public static SampleRank of(int rank, int chunkBytes, byte[]... contents) {
    List<RegionImage> images = new ArrayList<>();
    for (int i = 0; i < contents.length; i++) {
      images.add(image("r" + i, contents[i], chunkBytes));
    }
    return new SampleRank(rank, List.of(contents), images);
  }

  /** Up to four regions of any length from 0 bytes to a few chunks, in chunks of any length. */
  public static SampleRank random(int rank, SplittableRandom random) {
    int chunkBytes = 1 + random.nextInt(300);
    byte[][] contents = new byte[random.nextInt(5)][];
    for (int i = 0; i < contents.length; i++) {
      int chunks = random.nextInt(4);
      int tail = random.nextBoolean() ? 0 : random.nextInt(chunkBytes);
      contents[i] = new byte[chunks * chunkBytes + tail];
      random.nextBytes(contents[i]);
    }
    return of(rank, chunkBytes, contents);
  }

  /** Two regions, one with a shorter last chunk, five chunks in all. */
  public static SampleRank small(int rank, long seed) {
    byte[] first = new byte[100];
    byte[] second = new byte[64];
    SplittableRandom random = new SplittableRandom(seed);
    random.nextBytes(first);
    random.nextBytes(second);
    return of(rank, 32, first, new byte[0], second.clone());
  }

  /** The image that a capture of {@code content} gives. */
  public static RegionImage image(String name, byte[] content, int chunkBytes) {
    int[] checksums = new int[RegionImage.chunks(content.length, chunkBytes)];
    CRC32C crc = new CRC32C();
    for (int k = 0; k < checksums.length; k++) {
      crc.reset();
      int at = k * chunkBytes;
      crc.update(content, at, Math.min(chunkBytes, content.length - at));
      checksums[k] = (int) crc.getValue();
    }
    return new RegionImage(name, content.length, chunkBytes, checksums);
  }

  /** Reads the chunks from the contents. */
  public ChunkReader reader() {
    return (region, chunk, into) -> {
      RegionImage image = images.get(region);
      into.put(contents.get(region), chunk * image.chunkBytes(), image.chunkLength(chunk));
    };
  }

  /** As a container's writer takes it. */
  public RankChunks chunks() {
    return new RankChunks(rank, images, reader());
  }

  /** All regions, as {@code reader} gives them. */
  public static List<byte[]> readAll(List<RegionImage> images, ChunkReader reader)
      throws IOException {
    List<byte[]> contents = new ArrayList<>();
    for (int region = 0; region < images.size(); region++) {
      ByteBuffer into = ByteBuffer.allocate((int) images.get(region).bytes());
      for (int chunk = 0; chunk < images.get(region).chunks(); chunk++) {
        reader.read(region, chunk, into);
      }
      contents.add(into.array());
    }
    return contents;
  }
}
