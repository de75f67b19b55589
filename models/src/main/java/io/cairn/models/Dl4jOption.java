package io.cairn.models;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import org.nd4j.linalg.factory.Nd4jBackend;
import picocli.CommandLine.Option;

/**
 * The option {@code --dl4j DIR} of a command that needs DL4J, which comes with trainings and is no
 * part of the command line. The launcher reads it and extends the class path.
 */
final class Dl4jOption {
  private static final String VARIABLE = "CAIRN_DL4J";
  private static final String BOTH = "deeplearning4j-nn and nd4j-native";
  private static final String NETWORK = "org.deeplearning4j.nn.multilayer.MultiLayerNetwork";

  @Option(
      names = "--dl4j",
      paramLabel = "DIR",
      description = "A directory of DL4J's jars. Default: CAIRN_DL4J, or lib/dl4j.")
  private @Nullable Path directory;

  /** Work that needs DL4J. */
  @FunctionalInterface
  interface Work {
    /** Does it; the exit code. */
    int run() throws IOException;
  }

  /**
   * Makes sure that networks can be read, and does the work. Not all that DL4J needs shows before:
   * a backend may lack the native code for this machine.
   *
   * @throws IllegalArgumentException naming the jars to add and their place, if they are not there
   */
  int run(Work work) throws IOException {
    require(Dl4jOption.class.getClassLoader(), System.getenv(VARIABLE));
    try {
      return work.run();
    } catch (LinkageError e) {
      throw incomplete(System.getenv(VARIABLE), e);
    }
  }

  /** Of the classes that this loader finds. */
  void require(ClassLoader loader, @Nullable String variable) {
    try {
      Class<?> unused = Class.forName(NETWORK, false, loader);
      if (ServiceLoader.load(Nd4jBackend.class, loader).stream().findAny().isEmpty()) {
        throw new IllegalArgumentException(message(variable, "nd4j-native"));
      }
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException(message(variable, BOTH), e);
    } catch (LinkageError | ServiceConfigurationError e) {
      throw incomplete(variable, e);
    }
  }

  private IllegalArgumentException incomplete(@Nullable String variable, Error e) {
    Throwable reason = e.getCause() == null ? e : e.getCause();
    return new IllegalArgumentException(message(variable, BOTH) + "; missing now: " + reason, e);
  }

  private String message(@Nullable String variable, String artifacts) {
    String place = "";
    if (directory != null) {
      place = ", and is not complete in " + directory;
    } else if (variable != null && !variable.isEmpty()) {
      place = ", and is not complete in " + variable + ", which " + VARIABLE + " names";
    }
    return "this needs DL4J, which is no part of the command line%s: put the jars of %s of your"
            .formatted(place, artifacts)
        + " training, and those that they depend on, into lib/dl4j, or name their directory by"
        + " --dl4j or "
        + VARIABLE;
  }
}
