package io.cairn.examples.trouble;

import io.cairn.Cairn;
import io.cairn.Checkpointer;
import io.cairn.Digest;
import io.cairn.dl4j.CairnTraining;
import io.cairn.dl4j.ModelDigest;
import io.cairn.examples.digits.DigitsData;
import io.cairn.examples.digits.DigitsNetwork;
import io.cairn.examples.digits.FoldTraining;
import io.cairn.examples.digits.Folds;
import io.cairn.examples.digits.Minibatches;
import io.cairn.training.LastResort;
import io.cairn.training.RollBack;
import io.cairn.training.TroubleGuard;
import java.util.ArrayList;
import java.util.List;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.optimize.api.BaseTrainingListener;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;

/** The trainings of the demo, one after the other. Each belongs to one thread. */
final class TroubleTrainings {
  private static final int FOLD = 0;
  private static final double RAISED = 100;
  private static final double REDUCED = 0.1;
  private static final TroubleGuard GUARD = TroubleGuard.DEFAULT;

  private final Cairn cairn;
  private final long seed;
  private final int epochs;
  private final DigitsData data = DigitsData.load();
  private final Folds folds;

  /** An end of a training. */
  record Ended(
      List<Plants.Planted> planted,
      List<RollBack> rollBacks,
      Digest digest,
      double accuracy,
      List<TroubleReport.Loss> losses) {
    boolean finite() {
      return Double.isFinite(losses.get(losses.size() - 1).loss());
    }
  }

  TroubleTrainings(Cairn cairn, long seed, int epochs) {
    this.cairn = cairn;
    this.seed = seed;
    this.epochs = epochs;
    this.folds = new Folds(data.size(), FoldTraining.FOLDS, seed);
  }

  /** Minibatches of a pass. */
  int minibatches() {
    return minibatchesAfresh().count();
  }

  private Minibatches minibatchesAfresh() {
    return new Minibatches(data, folds.training(FOLD), FoldTraining.BATCH, seed);
  }

  private StruckMinibatches struck(Plants plants) {
    return new StruckMinibatches(minibatchesAfresh(), plants);
  }

  /** Trains as DL4J alone does. */
  Ended plain(Plants plants, MultiLayerNetwork model) {
    List<TroubleReport.Loss> losses = listen(model, plants);
    model.fit(struck(plants), epochs);
    return ended(plants, model, List.of(), losses);
  }

  Ended undisturbed() {
    return plain(new Plants(), network());
  }

  /** The bad minibatch was never part of the data. */
  Ended withoutBadMinibatch() {
    return plain(new Plants().leaveOut(badMinibatch()), network());
  }

  /** A flip that nothing guards against. */
  Ended unguarded() {
    MultiLayerNetwork model = network();
    return plain(new Plants().flipAfterCheckpoint(at(0.3), model, () -> {}), model);
  }

  /** Three faults of memory. */
  Ended faults() {
    try (Checkpointer checkpointer = cairn.join("faults")) {
      MultiLayerNetwork model = network();
      Plants plants =
          new Plants()
              .flipAfterCheckpoint(at(0.3), model, checkpointer::awaitCaptured)
              .flipBeforeCheckpoint(at(0.55), model)
              .spoil(at(0.8), true);
      return guarded(model, plants, checkpointer, GUARD);
    }
  }

  /** A minibatch that is NaN at every reading. */
  Ended badData() {
    try (Checkpointer checkpointer = cairn.join("bad-data")) {
      return guarded(
          network(),
          new Plants().spoil(badMinibatch(), false),
          checkpointer,
          GUARD.withTries(2).withLastResort(new LastResort.SkipMinibatches(1)));
    }
  }

  /** A rate at which the training diverges. */
  Ended highRate() {
    try (Checkpointer checkpointer = cairn.join("high-rate")) {
      MultiLayerNetwork model = network();
      return guarded(
          model,
          new Plants().raiseRate(at(0.6), RAISED, model),
          checkpointer,
          GUARD.withTries(2).withLastResort(new LastResort.SmallerRate(REDUCED)));
    }
  }

  private int badMinibatch() {
    return at(0.5);
  }

  private int at(double part) {
    return (int) (part * minibatches() * epochs);
  }

  private MultiLayerNetwork network() {
    return DigitsNetwork.create(seed);
  }

  private Ended guarded(
      MultiLayerNetwork model, Plants plants, Checkpointer checkpointer, TroubleGuard guard) {
    List<TroubleReport.Loss> losses = listen(model, plants);
    try (CairnTraining run = CairnTraining.resume(model, struck(plants), checkpointer)) {
      run.guardedBy(guard, () -> struck(plants)).fit(epochs);
      return ended(plants, model, run.rollBacks(), losses);
    }
  }

  private static List<TroubleReport.Loss> listen(MultiLayerNetwork model, Plants plants) {
    List<TroubleReport.Loss> losses = new ArrayList<>();
    model.setListeners(
        new BaseTrainingListener() {
          @Override
          public void iterationDone(Model trained, int iteration, int epoch) {
            losses.add(new TroubleReport.Loss(iteration, trained.score()));
            plants.iterationDone(iteration);
          }
        });
    return losses;
  }

  private Ended ended(
      Plants plants,
      MultiLayerNetwork model,
      List<RollBack> rollBacks,
      List<TroubleReport.Loss> losses) {
    return new Ended(
        plants.planted(), rollBacks, ModelDigest.of(model), accuracy(model), List.copyOf(losses));
  }

  private double accuracy(MultiLayerNetwork model) {
    DataSet test = data.dataSet(folds.test(FOLD));
    INDArray predicted = model.output(test.getFeatures()).argMax(1);
    INDArray actual = test.getLabels().argMax(1);
    return predicted.eq(actual).castTo(predicted.dataType()).sumNumber().doubleValue()
        / actual.length();
  }
}
