package io.cairn.dl4j;

import io.cairn.RestoreException;
import java.io.IOException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.regex.Pattern;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;
import org.deeplearning4j.nn.conf.NeuralNetConfiguration;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.nd4j.shade.jackson.core.JsonParser;
import org.nd4j.shade.jackson.core.JsonProcessingException;
import org.nd4j.shade.jackson.core.JsonToken;
import org.nd4j.shade.jackson.databind.JsonNode;
import org.nd4j.shade.jackson.databind.ObjectMapper;

/** Builds networks from configurations that came from outside. Stateless; thread-safe. */
public final class Networks {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Packages of the classes that a configuration of DL4J's own layers names. */
  private static final List<String> OWN = List.of("org.deeplearning4j.", "org.nd4j.linalg.");

  private static final String CLASS = "@class";

  /** Jackson loads and initialises the classes of {@code A<B,C>} each. */
  private static final Pattern PARTS = Pattern.compile("\\s*[<>,]\\s*");

  /** Trusts the classes of every package, as a program trusts its own checkpoints. */
  static final List<String> ANY = List.of("");

  private Networks() {}

  /**
   * The network of a configuration, initialised, with the counters that the configuration has. DL4J
   * runs the static initialiser of each class that the text names, so a class of another package
   * than DL4J's is refused before it is initialised.
   *
   * @param json of a {@code MultiLayerConfiguration} or a {@code ComputationGraphConfiguration}
   * @param source of the text, for messages
   * @param trusted beginnings of the names of further classes, such as {@code com.acme.}
   * @param check receives the number of parameters before memory for them is taken; may throw
   * @throws RestoreException naming the source and the reason, if the text is of another form, or a
   *     class that it names is not trusted, or not on the class path
   */
  public static Model build(
      String json, String source, Collection<String> trusted, LongConsumer check) {
    try {
      requireTrusted(json, source, trusted);
      return isGraph(json) ? graph(json, check) : layers(json, check);
    } catch (RestoreException refused) {
      throw refused;
    } catch (IOException | RuntimeException | NoClassDefFoundError e) {
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

  private static void requireTrusted(String json, String source, Collection<String> trusted)
      throws IOException {
    Set<String> seen = new HashSet<>();
    // no tree: of two fields of one name it has the last, and Jackson takes the first
    try (JsonParser parser = MAPPER.getFactory().createParser(json)) {
      boolean names = false;
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        boolean text = token == JsonToken.VALUE_STRING || token == JsonToken.FIELD_NAME;
        String name = text ? parser.getText() : "";
        for (String part : PARTS.split(name.strip(), -1)) {
          boolean unknown = text && !part.isEmpty() && !isTrusted(part, trusted);
          if (unknown && (names || (seen.add(part) && isClass(part)))) {
            throw new RestoreException(
                "%s names the class %s, which is not DL4J's, and its code would run: if you know it, trust its package, by --trust on the command line"
                    .formatted(source, part));
          }
        }
        names = token == JsonToken.FIELD_NAME && name.equals(CLASS);
      }
    }
  }

  private static boolean isTrusted(String name, Collection<String> trusted) {
    return OWN.stream().anyMatch(name::startsWith) || trusted.stream().anyMatch(name::startsWith);
  }

  /** Jackson takes a name without a field as well, so every text may be one. Initialises none. */
  private static boolean isClass(String name) {
    return isClass(name, Thread.currentThread().getContextClassLoader())
        || isClass(name, ObjectMapper.class.getClassLoader());
  }

  private static boolean isClass(String name, ClassLoader loader) {
    try {
      Class<?> unused = Class.forName(name, false, loader);
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
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
