package io.cairn.examples.elastic;

import io.cairn.examples.digits.DigitsData;
import io.cairn.examples.digits.DigitsNetwork;
import io.cairn.examples.digits.Minibatches;
import java.util.stream.IntStream;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;

/**
 * The digits' network with Adam, batch normalisation and dropout. Its minibatches are divided among
 * virtual ranks. Immutable.
 *
 * @param virtualRanks at least 1
 * @param steps of the whole training, at least 1
 */
record ElasticTraining(int virtualRanks, int steps) {
  private static final int BATCH = 8;
  private static final long SEED = 1;

  /** A fresh network, the same on every executor. */
  MultiLayerNetwork network() {
    return DigitsNetwork.create(SEED);
  }

  /** Every virtual rank has samples of its own, in an order of its own. */
  VirtualData data() {
    DigitsData digits = DigitsData.load();
    return VirtualData.of(
        virtual ->
            new Minibatches(
                digits,
                IntStream.range(0, digits.size())
                    .filter(sample -> sample % virtualRanks == virtual)
                    .toArray(),
                BATCH,
                SEED + virtual));
  }
}
