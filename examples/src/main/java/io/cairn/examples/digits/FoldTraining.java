package io.cairn.examples.digits;

import io.cairn.Checkpointer;
import io.cairn.Digest;
import io.cairn.RestoreReport;
import io.cairn.dl4j.CairnTraining;
import io.cairn.dl4j.CaptureStatistics;
import io.cairn.dl4j.ModelDigest;
import java.util.Optional;
import java.util.function.IntConsumer;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;

/**
 * The training of one fold, which continues where an earlier attempt was killed. Data, split,
 * order, weights and dropout follow from the seed, so that every attempt of a fold builds the same.
 * Immutable; each {@link #train} belongs to one thread.
 *
 * @param fold from 0
 * @param seed of the whole cross-validation
 * @param epochs passes over the fold's training samples
 */
public record FoldTraining(int fold, long seed, int epochs) {
  /** Folds of the cross-validation. */
  public static final int FOLDS = 4;

  /** Epochs that give a mean accuracy above 98 %. */
  public static final int EPOCHS = 6;

  /** Samples per minibatch. */
  public static final int BATCH = 32;

  /**
   * The outcome.
   *
   * @param digest SHA-256 of parameters and updater state
   * @param accuracy on the fold's test samples, 0 to 1
   * @param iterations in all, those of earlier attempts included
   * @param restored the checkpoint that this attempt resumed from, if any
   * @param statistics of this attempt's checkpoints, final
   */
  public record Result(
      int fold,
      Digest digest,
      double accuracy,
      int iterations,
      Optional<RestoreReport> restored,
      CaptureStatistics statistics) {}

  /** Checks the numbers. */
  public FoldTraining {
    if (fold < 0 || fold >= FOLDS || epochs < 1) {
      throw new IllegalArgumentException(
          "fold " + fold + " of " + FOLDS + ", " + epochs + " epochs");
    }
  }

  /** The name of the fold's group, such as {@code fold-3}. */
  public String group() {
    return "fold-" + fold;
  }

  /** Iterations of the whole training. */
  public int iterations() {
    return minibatches(DigitsData.load()).count() * epochs;
  }

  /**
   * Trains what is left of the fold.
   *
   * @param checkpointer of {@link #group()}; closed at the end
   * @param progress receives the number of completed iterations after each, on this thread, before
   *     the iteration is captured; what it throws ends the training
   */
  public Result train(Checkpointer checkpointer, IntConsumer progress) {
    DigitsData data = DigitsData.load();
    MultiLayerNetwork model = DigitsNetwork.create(seed + fold);
    model.setListeners(
        new BaseTrainingListener() {
          @Override
          public void iterationDone(Model trained, int iteration, int epoch) {
            progress.accept(iteration + 1);
          }
        });
    CairnTraining run = CairnTraining.resume(model, minibatches(data), checkpointer);
    try (run) {
      run.fit(epochs);
    }
    return new Result(
        fold,
        ModelDigest.of(model),
        accuracy(model, data.dataSet(folds(data).test(fold))),
        model.getIterationCount(),
        run.restored(),
        run.statistics());
  }

  private Folds folds(DigitsData data) {
    return new Folds(data.size(), FOLDS, seed);
  }

  private Minibatches minibatches(DigitsData data) {
    return new Minibatches(data, folds(data).training(fold), BATCH, seed + fold);
  }

  private static double accuracy(MultiLayerNetwork model, DataSet test) {
    INDArray predicted = model.output(test.getFeatures()).argMax(1);
    INDArray actual = test.getLabels().argMax(1);
    return predicted.eq(actual).castTo(predicted.dataType()).sumNumber().doubleValue()
        / actual.length();
  }
}
