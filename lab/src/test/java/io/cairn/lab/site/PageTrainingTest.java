package io.cairn.lab.site;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.cli.Main;
import io.cairn.process.ChildProcess;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The training of the page for beginners is run: killed in the middle, and started again. */
@Timeout(300)
class PageTrainingTest {
  private static final String PAGE = "../docs/GETTING-STARTED.md";
  private static final String FIT = "training.fit(20);";
  private static final String ALIVE = " alive ";
  private static final int LAST = 199;
  private static final int SIGKILL = 137;

  @TempDir Path root;

  /** The program of the page, with its settings, after those. */
  private PageProgram compiled(Path directory) throws IOException {
    Files.createDirectories(directory);
    String reports = PageTraining.class.getName();
    PageProgram.of(PAGE, "DigitsTraining", "class DigitsTraining")
        .with(
            FIT, "%s.begins(model, training); %s %s.ended(model);".formatted(reports, FIT, reports))
        .compile(directory);
    PageProgram settings =
        PageProgram.of(PAGE, "Settings", "class Settings")
            .storing(directory)
            .with("// then the program above", "DigitsTraining.main(args);");
    settings.compile(directory);
    return settings;
  }

  private static ChildProcess start(PageProgram program, Path directory, int diesAt)
      throws IOException {
    return program
        .java(directory, 512, List.of("-D" + PageTraining.DIES_AT + "=" + diesAt))
        .environment("OMP_NUM_THREADS", "1")
        .start();
  }

  private static String list(Path directory) {
    StringWriter output = new StringWriter();
    int status =
        Main.commandLine()
            .setOut(new PrintWriter(output))
            .execute("list", directory.resolve("store").toString());
    assertThat(status).isZero();
    return output.toString();
  }

  /** Runs it to its end; returns how it ended. */
  private static String end(PageProgram program, Path directory, int from)
      throws IOException, InterruptedException {
    try (ChildProcess process = start(program, directory, -1)) {
      int began = Integer.parseInt(process.await(PageTraining.FROM));
      assertThat(began).isGreaterThanOrEqualTo(from);
      String ended = process.await(PageTraining.ENDED);
      assertThat(process.exitStatus()).isZero();
      assertThat(list(directory)).contains("ended with iteration " + LAST);
      return ended;
    }
  }

  /** In the sixth epoch, when STORE has a checkpoint. */
  private static void killAt(int iteration, PageProgram program, Path directory)
      throws IOException, InterruptedException {
    try (ChildProcess process = start(program, directory, iteration)) {
      process.await(PageTraining.AT);
      awaitStored(directory);
      process.kill();
      assertThat(process.exitStatus()).isEqualTo(SIGKILL);
      assertThat(list(directory)).doesNotContain("ended with iteration");
    }
  }

  private static void awaitStored(Path directory) {
    long end = System.nanoTime() + ChildProcess.PATIENCE.toNanos();
    while (!list(directory).contains(ALIVE) && System.nanoTime() < end) {
      LockSupport.parkNanos(10_000_000);
    }
    assertThat(list(directory)).contains(ALIVE);
  }

  @Test
  void theTrainingOfGettingStartedEndsAsWithoutTheKill() throws Exception {
    Path killed = root.resolve("killed");
    Path undisturbed = root.resolve("undisturbed");
    PageProgram program = compiled(killed);

    killAt(57, program, killed);
    String ended = end(program, killed, 0);

    assertThat(ended).startsWith(LAST + 1 + " ");
    assertThat(ended).isEqualTo(end(compiled(undisturbed), undisturbed, -1));
    assertThat(end(program, killed, LAST)).as("computes nothing").isEqualTo(ended);
  }
}
