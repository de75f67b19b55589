package io.cairn.dl4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.RestoreException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.deeplearning4j.nn.api.Model;
import org.deeplearning4j.nn.conf.layers.DenseLayer;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.nd4j.linalg.activations.impl.ActivationTanH;

/** Configurations from outside, which name classes. */
class NetworksTest {
  private static final AtomicInteger INITIALISED = new AtomicInteger();

  /** A class of the program, or of a library, whose initialiser acts. */
  static final class Acting {
    static {
      INITIALISED.incrementAndGet();
    }

    private Acting() {}
  }

  private static final String ACTING = NetworksTest.class.getName() + "$Acting";
  private static final String TANH = "\"" + ActivationTanH.class.getName() + "\"";

  static Stream<Named<UnaryOperator<String>>> namings() {
    return Stream.of(
        Named.of("a layer", json -> json.replaceFirst(DenseLayer.class.getName(), quoted(ACTING))),
        Named.of("an activation", json -> json.replace(TANH, "\"" + ACTING + "\"")),
        Named.of(
            "the first of two fields",
            json ->
                json.replace(
                    "\"@class\" : " + TANH, "\"@class\":\"" + ACTING + "\",\"@class\":" + TANH)),
        Named.of(
            "the first element of an array",
            json ->
                json.replaceFirst(
                    "\\{\\s*\"@class\" : " + TANH + "\\s*\\}", quoted("[\"" + ACTING + "\",{}]"))),
        Named.of(
            "a parameter of a class of DL4J's",
            json -> json.replace(TANH, TANH.replaceFirst("\"$", quoted("<" + ACTING + ">\"")))),
        Named.of(
            "a parameter of a parameter",
            json ->
                json.replace(
                    TANH,
                    TANH.replaceFirst(
                        "\"$",
                        quoted("<org.nd4j.linalg.activations.IActivation< " + ACTING + " >>\"")))),
        Named.of(
            "a class with a parameter in an array",
            json ->
                json.replaceFirst(
                    "\\{\\s*\"@class\" : " + TANH + "\\s*\\}",
                    quoted("[\"" + ACTING + "<java.lang.String>\",{}]"))),
        Named.of(
            "an escaped field",
            json -> json.replace("\"@class\" : " + TANH, "\"\\u0040class\":\"" + ACTING + "\"")));
  }

  private static String quoted(String text) {
    return text.replace("$", "\\$");
  }

  private static String json() {
    Model model = TestNets.plain();
    return TrainedModel.of(model).configuration();
  }

  private static Model build(String json, String... trusted) {
    return Networks.build(json, "net.zip", List.of(trusted), parameters -> {});
  }

  @ParameterizedTest
  @MethodSource("namings")
  void noClassBesidesDl4jsIsInitialised(UnaryOperator<String> naming) {
    String hostile = naming.apply(json());
    assertThat(hostile).contains("Acting");

    assertThatThrownBy(() -> build(hostile))
        .isInstanceOf(RestoreException.class)
        .hasMessageStartingWith("net.zip names the class " + ACTING);
    assertThat(INITIALISED).hasValue(0);
  }

  /** Where the thread's loader knows no class, Jackson asks its own. */
  @Test
  void theLoaderOfTheThreadHidesNoClass() {
    Thread thread = Thread.currentThread();
    ClassLoader loader = thread.getContextClassLoader();
    thread.setContextClassLoader(ClassLoader.getPlatformClassLoader());
    try {
      assertThatThrownBy(() -> build("{\"layer\":[\"" + ACTING + "\",{}]}"))
          .hasMessageStartingWith("net.zip names the class " + ACTING);
    } finally {
      thread.setContextClassLoader(loader);
    }
    assertThat(INITIALISED).hasValue(0);
  }

  /** Names of layers and the like; no class has them. */
  @Test
  void otherTextsMayHaveAnyCharacters() {
    String named =
        json().replaceFirst("\"layerName\" : \"[^\"]*\"", "\"layerName\" : \"a<b>, [c]; d.e\"");
    assertThat(named).contains("a<b>");

    assertThat(build(named).numParams()).isPositive();
  }

  @Test
  void aTrustedPackageIsAsked() {
    String own = json().replace(TANH, "\"io.cairn.dl4j.Absent\"");

    assertThat(build(json()).numParams()).isPositive();
    assertThatThrownBy(() -> build(own)).hasMessageContaining("trust its package");
    assertThatThrownBy(() -> build(own, "io.cairn.dl4j."))
        .isInstanceOf(RestoreException.class)
        .hasMessageContaining("class path");
  }
}
