package io.cairn.examples.trouble;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;

/**
 * The trouble that is planted into one training, by the place of a minibatch among those of all
 * passes. A fault strikes once, however often its place is trained. Not thread-safe.
 */
final class Plants {
  /** The second convolution's weights. Nothing normalises its output, and its inputs are active. */
  private static final String WEIGHTS = "2_W";

  private static final int WEIGHT = 7;
  private static final int EXPONENT_BIT = 30;

  /** Trouble, for people. */
  record Planted(int place, String what) {}

  private final List<Planted> planted = new ArrayList<>();
  private final Map<Integer, Runnable> beforeReading = new HashMap<>();
  private final Map<Integer, Runnable> afterIteration = new HashMap<>();
  private OptionalInt spoiledOnce = OptionalInt.empty();
  private OptionalInt spoiled = OptionalInt.empty();
  private OptionalInt leftOut = OptionalInt.empty();

  /** Flips a bit of a weight between the checkpoint of an iteration and the next one. */
  Plants flipAfterCheckpoint(int place, MultiLayerNetwork model, Runnable captured) {
    planted.add(new Planted(place, "flipped weight after its checkpoint"));
    beforeReading.put(
        place,
        () -> {
          captured.run();
          flip(model);
        });
    return this;
  }

  /** Flips a bit of a weight after an iteration, and before its checkpoint is taken. */
  Plants flipBeforeCheckpoint(int place, MultiLayerNetwork model) {
    planted.add(new Planted(place, "flipped weight within its checkpoint"));
    afterIteration.put(place, () -> flip(model));
    return this;
  }

  private static void flip(MultiLayerNetwork model) {
    INDArray weights = model.getParam(WEIGHTS);
    int bits = Float.floatToRawIntBits(weights.getFloat(WEIGHT));
    weights.putScalar(WEIGHT, Float.intBitsToFloat(bits ^ (1 << EXPONENT_BIT)));
  }

  /** Makes a minibatch NaN, once or each time that it is read. */
  Plants spoil(int place, boolean once) {
    planted.add(new Planted(place, once ? "NaN in a minibatch, once" : "NaN in a minibatch"));
    if (once) {
      spoiledOnce = OptionalInt.of(place);
    } else {
      spoiled = OptionalInt.of(place);
    }
    return this;
  }

  /** Multiplies the learning rate after an iteration, each time that it is trained. */
  Plants raiseRate(int iteration, double factor, MultiLayerNetwork model) {
    planted.add(new Planted(iteration, "learning rate times " + Math.round(factor)));
    afterIteration.put(
        iteration,
        new Runnable() {
          @Override
          public void run() {
            model.setLearningRate(factor * model.getLearningRate(0));
            afterIteration.put(iteration, this);
          }
        });
    return this;
  }

  /** Leaves a minibatch out of the data. */
  Plants leaveOut(int place) {
    leftOut = OptionalInt.of(place);
    return this;
  }

  /** All trouble, in the order of planting. */
  List<Planted> planted() {
    return List.copyOf(planted);
  }

  /** An iteration is done, and not captured yet. */
  void iterationDone(int iteration) {
    Runnable blow = afterIteration.remove(iteration);
    if (blow != null) {
      blow.run();
    }
  }

  /** A minibatch is about to be read. */
  void reading(int place) {
    Runnable blow = beforeReading.remove(place);
    if (blow != null) {
      blow.run();
    }
  }

  /** The minibatch as it is read. */
  DataSet read(int place, DataSet sound) {
    boolean once = spoiledOnce.equals(OptionalInt.of(place));
    if (once) {
      spoiledOnce = OptionalInt.empty();
    }
    if (once || spoiled.equals(OptionalInt.of(place))) {
      sound.getFeatures().assign(Double.NaN);
    }
    return sound;
  }

  /** Whether a minibatch is not part of the data. */
  boolean isLeftOut(int place) {
    return leftOut.equals(OptionalInt.of(place));
  }
}
