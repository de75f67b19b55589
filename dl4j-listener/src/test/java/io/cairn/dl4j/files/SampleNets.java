package io.cairn.dl4j.files;

import io.cairn.dl4j.SavedTraining;
import io.cairn.dl4j.TestNets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.inputs.InputType;
import org.deeplearning4j.nn.conf.layers.ConvolutionLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.linalg.api.buffer.DataType;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.learning.config.Sgd;
import org.nd4j.linalg.lossfunctions.LossFunctions.LossFunction;

/** Networks of every kind of parameter, with numbers that tell all elements apart. */
final class SampleNets {
  private SampleNets() {}

  /** Dense, normalised and convolutional layers, a graph, doubles, an updater without state. */
  static Stream<Model> all() {
    List<Model> networks =
        List.of(
            TestNets.adam(),
            TestNets.graph(),
            convolutional(DataType.FLOAT),
            convolutional(DataType.DOUBLE));
    return networks.stream().map(SampleNets::filled);
  }

  /** Every parameter and every element of the updater's state has a number of its own. */
  static Model filled(Model model) {
    model.init();
    count(model.params(), 0.5);
    new SavedTraining(model, Optional.empty())
        .updaterState()
        .ifPresent(state -> count(state, 1e-3));
    return model;
  }

  private static void count(INDArray flat, double unit) {
    flat.assign(
        Nd4j.linspace(DataType.DOUBLE, unit, unit, flat.length())
            .reshape(flat.shape())
            .castTo(flat.dataType()));
  }

  private static MultiLayerNetwork convolutional(DataType type) {
    return new MultiLayerNetwork(
        new NeuralNetConfiguration.Builder()
            .seed(7)
            .dataType(type)
            .updater(type == DataType.DOUBLE ? new Sgd(0.1) : new Adam(0.02))
            .list()
            .layer(new ConvolutionLayer.Builder(2, 3).nIn(2).nOut(3).build())
            .layer(new OutputLayer.Builder(LossFunction.MSE).nOut(2).build())
            .setInputType(InputType.convolutional(4, 4, 2))
            .build());
  }
}
