package org.deeplearning4j.parallelism;

import java.util.List;
import java.util.stream.IntStream;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.TrainingListener;
import org.jspecify.annotations.NullMarked;
import org.nd4j.linalg.dataset.DataSet;

/** Trains clones as ParallelWrapper does, in its package: each on a thread, with one listener. */
@NullMarked
public final class CloningTrainer {
  private static final int CLONES = 2;

  private CloningTrainer() {}

  /** Trains two clones of a model, and waits for both. */
  public static void train(
      MultiLayerNetwork model, TrainingListener listener, List<DataSet> minibatches) {
    List<Thread> threads =
        IntStream.range(0, CLONES)
            .mapToObj(
                index ->
                    new Thread(
                        () -> {
                          MultiLayerNetwork clone = model.clone();
                          clone.setListeners(listener);
                          minibatches.forEach(clone::fit);
                        }))
            .toList();
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
