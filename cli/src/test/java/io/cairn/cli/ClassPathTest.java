package io.cairn.cli;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands of this module start without the libraries of trainings and benchmarks. */
class ClassPathTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "org.apache.spark.SparkContext",
        "org.deeplearning4j.nn.multilayer.MultiLayerNetwork",
        "org.nd4j.linalg.factory.Nd4j",
        "org.openjdk.jmh.Main",
        "org.knowm.xchart.XYChart",
        "io.cairn.spark.CairnPlugin",
        "io.cairn.dl4j.CairnTraining"
      })
  void lacks(String name) {
    assertThatThrownBy(() -> Class.forName(name)).isInstanceOf(ClassNotFoundException.class);
  }
}
