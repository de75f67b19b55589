package io.cairn.dl4j;

import io.cairn.core.session.RestoreException;
import java.util.function.LongConsumer;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.shade.jackson.core.JsonProcessingException;
import org.nd4j.shade.jackson.databind.JsonNode;
import org.nd4j.shade.jackson.databind.ObjectMapper;

/** Builds networks from configurations that came from outside. Stateless; thread-safe. */
public final class Networks {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Networks() {}

  /**
   * The network of a configuration, initialised, with the counters that the configuration has.
   *
   * @param json of a {@code MultiLayerConfiguration} or a {@code ComputationGraphConfiguration}
   * @param source of the text, for messages
   * @param check receives the number of parameters before memory for them is taken; may throw
   * @throws RestoreException naming the source and the reason, if the text is of another form, or a
   *     class that it names is not on the class path
   */
  public static Model build(String json, String source, LongConsumer check) {
    try {
      return isGraph(json) ? graph(json, check) : layers(json, check);
    } catch (RestoreException refused) {
      throw refused;
    } catch (JsonProcessingException | RuntimeException | NoClassDefFoundError e) {
      RestoreException failure =
          new RestoreException(
              source
                  + ": no network can be built from its configuration; a layer of a class of the"
                  + " program's own needs that class on the class path: "
                  + e);
      failure.initCause(e);
      throw failure;
    }
  }

  private static boolean isGraph(String json) throws JsonProcessingException {
    JsonNode root = MAPPER.readTree(json);
    return root != null && root.has("vertices");
  }

  private static Model layers(String json, LongConsumer check) {
    MultiLayerConfiguration configuration = MultiLayerConfiguration.fromJson(json);
    long parameters = 0;
    for (NeuralNetConfiguration layer : configuration.getConfs()) {
      parameters = Math.addExact(parameters, layer.getLayer().initializer().numParams(layer));
    }
    check.accept(parameters);
    MultiLayerNetwork network = new MultiLayerNetwork(configuration);
    network.init();
    return network;
  }

  private static Model graph(String json, LongConsumer check) {
    ComputationGraphConfiguration configuration = ComputationGraphConfiguration.fromJson(json);
    check.accept(
        configuration.getVertices().values().stream()
            .mapToLong(vertex -> vertex.numParams(true))
            .reduce(0, Math::addExact));
    ComputationGraph network = new ComputationGraph(configuration);
    network.init();
    return network;
  }
}
