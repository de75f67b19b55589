package io.cairn.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CheckpointId;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.layers.AutoEncoder;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.api.Test;
import org.nd4j.linalg.activations.Activation;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** DL4J's layer-wise pretraining, whose events name a layer instead of the network. */
class PretrainingTest {
  private final MemoryCheckpoints checkpoints = new MemoryCheckpoints();

  private static MultiLayerNetwork network() {
    MultiLayerNetwork model =
        new MultiLayerNetwork(
            new NeuralNetConfiguration.Builder()
                .seed(7)
                .updater(new Adam(0.02))
                .list()
                .layer(new AutoEncoder.Builder().nIn(TestNets.INPUTS).nOut(5).build())
                .layer(
                    new OutputLayer.Builder(LossFunction.MCXENT)
                        .nIn(5)
                        .nOut(TestNets.CLASSES)
                        .activation(Activation.SOFTMAX)
                        .build())
                .build());
    model.init();
    return model;
  }

  @Test
  void theFitAfterwardsIsCheckpointed() {
    MultiLayerNetwork model = network();
    CairnListener listener = new CairnListener(checkpoints.join());
    model.setListeners(listener);
    model.pretrain(TestData.shuffling());
    assertThat(checkpoints.checkpoints).isEmpty();
    int pretrained = model.getIterationCount();

    model.fit(TestData.shuffling());

    assertThat(checkpoints.checkpoints.keySet())
        .extracting(CheckpointId::iteration)
        .startsWith((long) pretrained)
        .hasSize(TestData.MINIBATCHES);
    assertThat(listener.epochMinibatches()).isEqualTo(TestData.MINIBATCHES);
  }
}
