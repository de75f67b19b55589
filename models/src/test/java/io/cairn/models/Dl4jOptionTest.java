package io.cairn.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** DL4J is there, or a message says what to put where. */
class Dl4jOptionTest {
  @Command
  private static final class Any {
    @Mixin private Dl4jOption dl4j = new Dl4jOption();
  }

  private static Dl4jOption parsed(String... arguments) {
    Any command = new Any();
    CommandLine.ParseResult unused = new CommandLine(command).parseArgs(arguments);
    return command.dl4j;
  }

  @Test
  void theJarsOfTheTestsAreEnough() throws IOException {
    assertThat(parsed().run(() -> 7)).isEqualTo(7);
  }

  @Test
  void withoutThemTheMessageSaysWhatToPutWhere() throws Exception {
    try (URLClassLoader nothing = new URLClassLoader(new URL[0], null)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> parsed().require(nothing, null))
          .withMessageContaining("deeplearning4j-nn and nd4j-native")
          .withMessageContaining("lib/dl4j")
          .withMessageContaining("CAIRN_DL4J");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> parsed("--dl4j", "/nowhere").require(nothing, "/else"))
          .withMessageContaining("is not complete in /nowhere:");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> parsed().require(nothing, "/else"))
          .withMessageContaining("is not complete in /else, which CAIRN_DL4J names:");
    }
  }

  /** The command line looks at the methods of each command, also where there is no DL4J. */
  @Test
  void noSignatureOfACommandHasATypeOfDl4j() {
    for (Class<?> command : List.of(ExportCommand.class, ImportCommand.class, Dl4jOption.class)) {
      for (Method method : command.getDeclaredMethods()) {
        assertThat(method.toString()).doesNotContain("org.nd4j", "org.deeplearning4j");
      }
    }
  }

  /** Some jars of a training were copied, and not those on which they depend. */
  @Test
  void withSomeOfThemTheMessageIsTheSame() throws Exception {
    List<URL> some = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      if (!String.valueOf(Path.of(entry).getFileName()).startsWith("nd4j-")) {
        some.add(Path.of(entry).toUri().toURL());
      }
    }
    try (URLClassLoader without =
        new URLClassLoader(some.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      Class<?> option = without.loadClass(Dl4jOption.class.getName());
      Constructor<?> constructor = option.getDeclaredConstructor();
      constructor.setAccessible(true);
      Method require = option.getDeclaredMethod("require", ClassLoader.class, String.class);
      require.setAccessible(true);
      Object made = constructor.newInstance();

      assertThatThrownBy(() -> require.invoke(made, without, null))
          .cause()
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("deeplearning4j-nn and nd4j-native")
          .hasMessageContaining("missing now: java.lang.ClassNotFoundException: org.nd4j");
    }
  }

  @Test
  void aBackendThatDoesNotLoadIsTheUsersToPutRight() {
    Error unloadable = new ExceptionInInitializerError(new IOException("no jnind4jcpu"));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                parsed("--dl4j", "/jars")
                    .run(
                        () -> {
                          throw unloadable;
                        }))
        .withMessageContaining("is not complete in /jars")
        .withMessageContaining("no jnind4jcpu")
        .withCause(unloadable);
  }
}
