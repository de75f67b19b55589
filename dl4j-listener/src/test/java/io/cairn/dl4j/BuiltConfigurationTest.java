package io.cairn.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.dl4j.TrainingState.IteratorPosition;
import io.cairn.dl4j.TrainingState.ModelParts;
import io.cairn.dl4j.TrainingState.RandomState;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration.GraphBuilder;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.conf.graph.MergeVertex;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.deeplearning4j.nn.conf.layers.OutputLayer;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.junit.jupiter.api.Test;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.schedule.MapSchedule;
import org.nd4j.linalg.schedule.ScheduleType;

/** Configurations whose maps have another order in each process. */
class BuiltConfigurationTest {
  private static BuiltConfiguration scheduled(List<Integer> steps) {
    Map<Integer, Double> rates = new LinkedHashMap<>();
    steps.forEach(step -> rates.put(step, 0.1 / (1 + step)));
    return built(
        new MultiLayerNetwork(
            new NeuralNetConfiguration.Builder()
                .seed(7)
                .updater(new Adam(new MapSchedule(ScheduleType.ITERATION, rates)))
                .list()
                .layer(new DenseLayer.Builder().nIn(2).nOut(3).build())
                .layer(new OutputLayer.Builder().nIn(3).nOut(2).build())
                .build()));
  }

  private static BuiltConfiguration built(Model network) {
    return new BuiltConfiguration(TrainedModel.of(network).configuration());
  }

  private static BuiltConfiguration branches(String first, String second) {
    GraphBuilder graph =
        new NeuralNetConfiguration.Builder().seed(7).graphBuilder().addInputs("in");
    for (String name : List.of(first, second)) {
      graph.addLayer(name, new DenseLayer.Builder().nIn(2).nOut(3).build(), "in");
    }
    return built(
        new ComputationGraph(
            graph
                .addVertex("both", new MergeVertex(), "left", "right")
                .addLayer("out", new OutputLayer.Builder().nIn(6).nOut(2).build(), "both")
                .setOutputs("out")
                .build()));
  }

  private static TrainingState stateOf(BuiltConfiguration built, BuiltConfiguration changed) {
    return new TrainingState(
        false,
        3,
        0,
        4,
        new IteratorPosition(0, 4),
        new RandomState(1, 2, false, 0),
        1,
        new ModelParts(changed.json(), built.encode(), Bytes.NONE, Bytes.NONE),
        Bytes.NONE);
  }

  @Test
  void theOrderOfAMapIsNoDifference() throws IOException {
    BuiltConfiguration here = scheduled(List.of(0, 30, 15));
    BuiltConfiguration there = scheduled(List.of(15, 0, 30));

    assertThat(here.json()).isNotEqualTo(there.json());
    assertThat(here.differences(there)).isEmpty();
    assertThat(here.fingerprint()).isEqualTo(there.fingerprint());
    assertThat(here).isEqualTo(there).hasSameHashCodeAs(there);
    assertThat(stateOf(here, here).differences(stateOf(there, there))).isEmpty();
  }

  @Test
  void anotherValueIsNamed() throws IOException {
    BuiltConfiguration here = scheduled(List.of(0, 30));
    BuiltConfiguration there = scheduled(List.of(0, 31));

    assertThat(here.differences(there)).anyMatch(each -> each.contains("values.30: absent there"));
    assertThat(here.fingerprint()).isNotEqualTo(there.fingerprint());
    assertThat(here).isNotEqualTo(there);
    assertThat(stateOf(here, here).differences(stateOf(there, there)))
        .containsExactly("changed configuration", "configuration as built");
  }

  /** DL4J lays the parameters out in the order in which the program added the layers. */
  @Test
  void theOrderOfAGraphsLayersIsADifference() throws IOException {
    BuiltConfiguration here = branches("left", "right");
    BuiltConfiguration there = branches("right", "left");

    assertThat(here.differences(there)).isNotEmpty();
    assertThat(here.fingerprint()).isNotEqualTo(there.fingerprint());
  }
}
