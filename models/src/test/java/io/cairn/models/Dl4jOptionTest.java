package io.cairn.models;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URL;
import java.net.URLClassLoader;
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
  void theJarsOfTheTestsAreEnough() {
    assertThatCode(() -> parsed().require()).doesNotThrowAnyException();
  }

  @Test
  void withoutThemTheMessageSaysWhatToPutWhere() throws Exception {
    try (URLClassLoader nothing = new URLClassLoader(new URL[0], null)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> parsed().require(nothing))
          .withMessageContaining("deeplearning4j-nn and nd4j-native")
          .withMessageContaining("lib/dl4j")
          .withMessageContaining("CAIRN_DL4J");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> parsed("--dl4j", "/nowhere").require(nothing))
          .withMessageContaining("is not in /nowhere");
    }
  }
}
