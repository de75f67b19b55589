package io.cairn.examples.elastic;

import io.cairn.Layout;
import io.cairn.Region;
import io.cairn.dl4j.NdArrays;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import org.bytedeco.javacpp.BytePointer;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.indexing.NDArrayIndex;

/**
 * The part that one rank saves of flat arrays that all ranks have alike: an equal share of the
 * elements. Immutable.
 *
 * @param rank from 0
 * @param ranks at least 1
 */
record StatePart(int rank, int ranks) {
  /** The first element of a rank's share; of the rank after the last, the number of elements. */
  private long first(int ofRank, long elements) {
    return Math.floorDiv(elements, ranks) * ofRank + Math.min(ofRank, elements % ranks);
  }

  private long own(long elements) {
    return first(rank + 1, elements) - first(rank, elements);
  }

  /** The share as a slice of the whole array. */
  Layout layout(long elements) {
    return Layout.slice(
        new long[] {elements}, new long[] {first(rank, elements)}, new long[] {own(elements)});
  }

  /** The region over the share of an array. */
  Region region(String name, INDArray array) {
    long elements = array.length();
    var own = NDArrayIndex.interval(first(rank, elements), first(rank + 1, elements));
    return NdArrays.region(name, array.reshape(elements).get(own));
  }

  /** Completes an array of which each rank has its share: all ranks give theirs. */
  void complete(INDArray array, RankExchange exchange) throws IOException {
    int size = array.data().getElementSize();
    int step = RankExchange.MOST_BLOCK_BYTES / size;
    long longest = first(1, array.length());
    for (long from = 0; from < longest; from += step) {
      List<ByteBuffer> blocks = exchange.allGather(block(array, rank, from, step));
      for (int other = 0; other < ranks; other++) {
        ByteBuffer into = block(array, other, from, step);
        if (into.remaining() != blocks.get(other).remaining()) {
          throw new IOException(
              String.format(
                      Locale.ROOT,
                      "rank %d gave %d bytes of its share, and %d were expected: all ranks need the"
                          + " same",
                      other,
                      blocks.get(other).remaining(),
                      into.remaining())
                  + " network");
        }
        if (other != rank) {
          into.put(blocks.get(other));
        }
      }
    }
  }

  private ByteBuffer block(INDArray array, int ofRank, long from, int most) {
    int size = array.data().getElementSize();
    long start = first(ofRank, array.length()) + from;
    long end = Math.min(first(ofRank + 1, array.length()), start + most);
    return bytes(array, start * size, Math.max(0, end - start) * size);
  }

  /** Some bytes of a flat array in host memory, in place. */
  static ByteBuffer bytes(INDArray array, long from, long bytes) {
    if (bytes == 0) {
      return ByteBuffer.allocate(0);
    }
    BytePointer memory = new BytePointer(array.data().addressPointer());
    memory.capacity(array.length() * array.data().getElementSize());
    return memory.position(from).limit(from + bytes).asByteBuffer();
  }
}
