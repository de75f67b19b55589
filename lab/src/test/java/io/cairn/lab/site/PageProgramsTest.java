package io.cairn.lab.site;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.cli.Main;
import io.cairn.process.Command;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The loops of pages for users are run: killed in the middle, started again, ended, and run once
 * more, with a fast store and with a slow one. The device cache has room for two checkpoints, so
 * that many find none, as on a busy machine.
 */
@Timeout(300)
class PageProgramsTest {
  private static final String CLASS_PATH = System.getProperty("java.class.path");
  private static final String STORE = "\"/data/cairn\"";
  private static final String OPEN = "Cairn.open(";
  private static final String CAPTURED = ".captured().join();";
  private static final long KILLED_AT = 5_000;

  /** Around a fragment of a loop. */
  private static final String FRAME =
      """
      import io.cairn.core.session.Checkpointer;
      import io.cairn.core.session.Region;
      import io.cairn.engine.config.CairnConfig;
      import io.cairn.engine.runtime.Cairn;
      import java.util.Map;

      public class Loop {
        static void step(float[] weights) {
          for (int k = 0; k < weights.length; k++) {
            weights[k] += k + 1;
          }
        }

        public static void main(String[] args) throws Exception {
          float[] weights = new float[1_000];
          %s
        }
      }
      """;

  @TempDir Path root;

  private static String only(String page, String part) throws IOException {
    List<String> found =
        MarkdownPage.read(Path.of(page)).code("java").stream()
            .filter(code -> code.contains(part))
            .toList();
    assertThat(found).as("programs of %s with %s", page, part).hasSize(1);
    return found.get(0);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theLoopOfGettingStartedEnds(boolean slow) throws Exception {
    requireEnd("Relaxation", only("../docs/GETTING-STARTED.md", "class Relaxation"), slow);
  }

  @Test
  void theLoopOfTheReadmeEnds() throws Exception {
    requireEnd("Loop", FRAME.replace("%s", only("../README.md", "step(weights)")), true);
  }

  private void requireEnd(String name, String program, boolean slow) throws Exception {
    compile(name, program);

    assertThat(live(name, slow, KILLED_AT)).as("killed").isEqualTo(9);
    assertThat(list()).doesNotContain("ended with iteration");
    assertThat(live(name, slow, -1)).as("to its end").isZero();
    assertThat(list()).contains("ended with iteration 9999");
    assertThat(live(name, slow, 9_999)).as("computes nothing").isZero();
    assertThat(list()).contains("ended with iteration 9999");
  }

  /** With directories of this test, and a kill. */
  private void compile(String name, String program) throws IOException {
    assertThat(program).containsOnlyOnce(STORE).containsOnlyOnce(OPEN).containsOnlyOnce(CAPTURED);
    String adapted =
        program
            .replace(STORE, settings())
            .replace(OPEN, PageStores.class.getName() + ".open(")
            .replace(CAPTURED, CAPTURED + PageStores.class.getName() + ".computed(i);");
    Path source = Files.writeString(root.resolve(name + ".java"), adapted);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<String> options =
        List.of("-proc:none", "-nowarn", "-cp", CLASS_PATH, "-d", root.toString());
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      assertThat(
              compiler
                  .getTask(null, files, null, options, null, files.getJavaFileObjects(source))
                  .call())
          .isTrue();
    }
  }

  private String settings() {
    return "\"%s\", \"node.dir\", \"%s\", \"device.dir\", \"%s\", \"device.cacheSize\", \"8m\""
        .formatted(root.resolve("store"), root.resolve("node"), root.resolve("device"));
  }

  /** Returns the exit status. */
  private int live(String name, boolean slow, long diesAt) throws Exception {
    return Command.of(Path.of(System.getProperty("java.home"), "bin", "java").toString())
        .small(256)
        .options(
            "-cp",
            root + System.getProperty("path.separator") + CLASS_PATH,
            "-D" + PageStores.SLOW + "=" + slow,
            "-D" + PageStores.DIES_AT + "=" + diesAt,
            name)
        .run();
  }

  private String list() {
    StringWriter output = new StringWriter();
    int status =
        Main.commandLine()
            .setOut(new PrintWriter(output))
            .execute("list", root.resolve("store").toString());
    assertThat(status).isZero();
    return output.toString();
  }
}
