package io.cairn.flush.format;

import io.cairn.core.model.RegionImage;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The index of a container of version 1. It follows from the regions alone, since the chunks lie
 * one after the other as they were captured. Stateless.
 */
final class PlainIndex {
  private PlainIndex() {}

  /**
   * The index of one rank's container, as its writer wrote it. O(chunks).
   *
   * @throws IllegalArgumentException if it is longer than any index
   */
  static ByteBuffer of(RankChunks rank) {
    long bytes = ContainerIndex.bytes(List.of(rank), ContainerVersion.PLAIN);
    if (bytes > ContainerIndex.MAX_BYTES) {
      throw new IllegalArgumentException("an index of " + bytes + " bytes");
    }
    ByteBuffer index = ByteBuffer.allocate((int) bytes);
    ContainerIndex.putHead(index, 1);
    ContainerIndex.putRank(index, rank.rank(), rank.images().size());
    long next = ContainerHeader.BYTES;
    for (int region = 0; region < rank.images().size(); region++) {
      RegionImage image = rank.images().get(region);
      ContainerIndex.putRegion(index, image);
      for (int chunk = 0; chunk < image.chunks(); chunk++) {
        boolean here = rank.part().holds(region, chunk);
        StoredChunks.putPlain(index, here ? next : StoredChunks.ELSEWHERE, image.checksum(chunk));
        next += here ? image.chunkLength(chunk) : 0;
      }
    }
    return index.flip();
  }
}
