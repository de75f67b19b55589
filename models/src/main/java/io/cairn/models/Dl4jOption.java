package io.cairn.models;

import java.nio.file.Path;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.nd4j.linalg.factory.Nd4jBackend;
import picocli.CommandLine.Option;

/**
 * The option {@code --dl4j DIR} of a command that needs DL4J, which comes with trainings and is no
 * part of the command line. The launcher reads it and extends the class path.
 */
final class Dl4jOption {
  private static final String NETWORK = "org.deeplearning4j.nn.multilayer.MultiLayerNetwork";

  @Option(
      names = "--dl4j",
      paramLabel = "DIR",
      description = "A directory of DL4J's jars. Default: CAIRN_DL4J, or lib/dl4j.")
  private @Nullable Path directory;

  /**
   * Makes sure that networks can be read.
   *
   * @throws IllegalArgumentException naming the jars to add and their place, if they are not there
   */
  void require() {
    require(Dl4jOption.class.getClassLoader());
  }

  /** Of the classes that this loader finds. */
  void require(ClassLoader loader) {
    try {
      Class<?> unused = Class.forName(NETWORK, false, loader);
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException(message("deeplearning4j-nn and nd4j-native"), e);
    }
    if (ServiceLoader.load(Nd4jBackend.class, loader).stream().findAny().isEmpty()) {
      throw new IllegalArgumentException(message("nd4j-native"));
    }
  }

  private String message(String artifacts) {
    return "this needs DL4J, which is no part of the command line%s: put the jars of %s of your"
            .formatted(directory == null ? "" : ", and is not in " + directory, artifacts)
        + " training, and those that they depend on, into lib/dl4j, or name their directory by"
        + " --dl4j or CAIRN_DL4J";
  }
}
