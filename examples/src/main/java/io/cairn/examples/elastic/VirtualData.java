package io.cairn.examples.elastic;

import java.util.HashMap;
import java.util.Map;
import java.util.function.IntFunction;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;

/** The minibatches of each virtual rank. */
@FunctionalInterface
interface VirtualData {
  /**
   * The minibatch of a virtual rank at a step. It depends on the two numbers alone, whichever
   * executor asks. It may also draw from {@code Nd4j.getRandom()}, which was seeded from them, but
   * no Gaussian numbers: ND4J keeps every second one. Called on the training thread.
   *
   * @param virtualRank from 0
   * @param step from 0
   */
  DataSet minibatch(int virtualRank, long step);

  /**
   * Data of iterators, one per virtual rank. A virtual rank that moves to another executor gets an
   * iterator there, which reads over what was consumed. So an iterator's data depend only on its
   * construction and on the number of its resets. At the end of a pass an iterator is reset.
   *
   * @param iterators builds the iterator of a virtual rank at its start; called again for each
   *     executor and after a rollback
   * @return data for one training thread
   */
  static VirtualData of(IntFunction<DataSetIterator> iterators) {
    return new Iterators(iterators);
  }

  /** Iterators with the number of minibatches that each has given. Not thread-safe. */
  final class Iterators implements VirtualData {
    private final IntFunction<DataSetIterator> fresh;
    private final Map<Integer, At> open = new HashMap<>();

    private Iterators(IntFunction<DataSetIterator> fresh) {
      this.fresh = fresh;
    }

    private record At(DataSetIterator iterator, long given) {}

    @Override
    public DataSet minibatch(int virtualRank, long step) {
      At at = open.get(virtualRank);
      if (at == null || at.given() > step) {
        at = new At(fresh.apply(virtualRank), 0);
      }
      for (long given = at.given(); given < step; given++) {
        next(virtualRank, at.iterator());
      }
      DataSet minibatch = next(virtualRank, at.iterator());
      open.put(virtualRank, new At(at.iterator(), step + 1));
      return minibatch;
    }

    private static DataSet next(int virtualRank, DataSetIterator iterator) {
      if (!iterator.hasNext()) {
        iterator.reset();
      }
      if (!iterator.hasNext()) {
        throw new IllegalStateException(
            "the iterator of virtual rank " + virtualRank + " has no minibatch after a reset");
      }
      return iterator.next();
    }
  }
}
