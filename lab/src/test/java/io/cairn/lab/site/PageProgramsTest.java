package io.cairn.lab.site;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.cli.Main;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The loops of pages for users are run: killed in the middle, started again and ended, with a fast
 * store and with a slow one, and with the fast one run once more. The device cache has room for two
 * checkpoints, so that many find none, as on a busy machine.
 */
@Timeout(300)
class PageProgramsTest {
  private static final String JOB = "\"job\"";
  private static final String OPEN = "Cairn.open(";
  private static final String CAPTURED = ".captured().join();";
  private static final long KILLED_AT = 5_000;

  /** Around a fragment of a loop. */
  private static final String FRAME =
      """
      import io.cairn.Cairn;
      import io.cairn.Checkpointer;
      import io.cairn.Region;
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

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theLoopOfGettingStartedEnds(boolean slow) throws Exception {
    requireEnd(
        PageProgram.of("../docs/GETTING-STARTED.md", "Relaxation", "class Relaxation"), slow);
  }

  @Test
  void theLoopOfTheReadmeEnds() throws Exception {
    PageProgram fragment = PageProgram.of("../README.md", "Loop", "step(weights)");
    requireEnd(new PageProgram("Loop", FRAME.replace("%s", fragment.source())), true);
  }

  private void requireEnd(PageProgram program, boolean slow) throws Exception {
    program
        .with(JOB, "\"device.cacheSize\", \"8m\", " + JOB)
        .storing(root)
        .with(OPEN, PageStores.class.getName() + ".open(")
        .with(CAPTURED, CAPTURED + PageStores.class.getName() + ".computed(i);")
        .compile(root);

    assertThat(live(program, slow, KILLED_AT)).as("killed").isEqualTo(9);
    assertThat(list()).doesNotContain("ended with iteration");
    assertThat(live(program, slow, -1)).as("to its end").isZero();
    assertThat(list()).contains("ended with iteration 9999");
    if (!slow) {
      assertThat(live(program, false, 9_999)).as("computes nothing").isZero();
      assertThat(list()).contains("ended with iteration 9999");
    }
  }

  /** Returns the exit status. */
  private int live(PageProgram program, boolean slow, long diesAt) throws Exception {
    return program
        .java(
            root,
            256,
            List.of("-D" + PageStores.SLOW + "=" + slow, "-D" + PageStores.DIES_AT + "=" + diesAt))
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
