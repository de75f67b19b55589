package io.cairn.examples.elastic;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Locale;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.indexing.NDArrayIndex;

/**
 * The sum of the gradients of all virtual ranks, added up in their order: each element has the same
 * bits on every rank, and for every number of ranks. Not thread-safe.
 */
final class GradientSum {
  private static final int REPORT_BYTES = Integer.BYTES + Double.BYTES;

  private final RankExchange exchange;
  private final INDArray sum;
  private final INDArray landing;
  private boolean empty = true;
  private int examples;
  private double scores;
  private int added;

  /** A sum for a model with these parameters. */
  GradientSum(INDArray parameters, RankExchange exchange) {
    this.exchange = exchange;
    long length = parameters.length();
    long most = RankExchange.MOST_BLOCK_BYTES / parameters.data().getElementSize();
    this.sum = Nd4j.createUninitialized(parameters.dataType(), length);
    this.landing = Nd4j.createUninitialized(parameters.dataType(), Math.min(length, most));
  }

  /** Begins a new sum. */
  void clear() {
    empty = true;
    examples = 0;
    scores = 0;
    added = 0;
  }

  /**
   * Adds the gradients of the next virtual ranks, one of each rank. All ranks call it together.
   *
   * @param own this rank's gradients; any values if it has no virtual rank now
   * @param ownExamples of its minibatch
   * @param ownScore its loss
   * @param virtualRanks how many of the ranks have one, the first ones
   */
  void add(INDArray own, int ownExamples, double ownScore, int virtualRanks) throws IOException {
    boolean has = exchange.rank() < virtualRanks;
    report(has, ownExamples, ownScore, virtualRanks);
    int size = sum.data().getElementSize();
    for (long from = 0; from < sum.length(); from += landing.length()) {
      long length = Math.min(landing.length(), sum.length() - from);
      List<ByteBuffer> blocks =
          exchange.allGather(StatePart.bytes(own, from * size, has ? length * size : 0));
      for (int rank = 0; rank < virtualRanks; rank++) {
        add(from, length, blocks.get(rank), empty && rank == 0);
      }
    }
    empty = false;
  }

  private void add(long from, long length, ByteBuffer block, boolean first) throws IOException {
    ByteBuffer into = StatePart.bytes(landing, 0, length * landing.data().getElementSize());
    if (block.remaining() != into.remaining()) {
      throw new IOException(
          String.format(
              Locale.ROOT,
              "a rank gave %d bytes of its gradients instead of %d: all ranks need the same"
                  + " network",
              block.remaining(),
              into.remaining()));
    }
    into.put(block);
    INDArray part = sum.get(NDArrayIndex.interval(from, from + length));
    INDArray gradients = landing.get(NDArrayIndex.interval(0, length));
    if (first) {
      part.assign(gradients);
    } else {
      part.addi(gradients);
    }
  }

  private void report(boolean has, int ownExamples, double ownScore, int virtualRanks)
      throws IOException {
    ByteBuffer own = ByteBuffer.allocate(has ? REPORT_BYTES : 0);
    if (has) {
      own.putInt(ownExamples).putDouble(ownScore).flip();
    }
    List<ByteBuffer> all = exchange.allGather(own);
    for (int rank = 0; rank < virtualRanks; rank++) {
      if (all.get(rank).remaining() != REPORT_BYTES) {
        throw new IOException(
            "rank "
                + rank
                + " is at another step: all ranks need the same number of virtual ranks");
      }
      examples = Math.addExact(examples, all.get(rank).getInt());
      scores += all.get(rank).getDouble();
      added++;
    }
  }

  /** Examples of all minibatches. */
  int examples() {
    return examples;
  }

  /** The mean of all losses; NaN without one. */
  double score() {
    return scores / added;
  }

  /** Copies the sum into an array of as many elements. */
  void copyInto(INDArray gradients) {
    gradients.assign(sum.reshape(gradients.shape()));
  }
}
