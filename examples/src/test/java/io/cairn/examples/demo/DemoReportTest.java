package io.cairn.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.Level;
import io.cairn.examples.digits.FoldTraining;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoReportTest {
  private static final String DIGEST = "ab".repeat(32);
  private static final List<Blows.Kill> BOTH =
      List.of(
          new Blows.Kill("executor", 11, 0, 150, 5000), new Blows.Kill("machine", 1, 2, 200, 9000));

  @TempDir Path root;

  /**
   * A run in which every fold had an attempt that started anew and one more for each resume. The
   * last attempt computes the last iteration.
   */
  private Timeline run(String name, String digest, String... resumes) throws IOException {
    Path directory = Files.createDirectories(root.resolve(name));
    for (int fold = 0; fold < FoldTraining.FOLDS; fold++) {
      for (int attempt = 0; attempt <= resumes.length; attempt++) {
        int millis = 1000 * (1 + attempt);
        StringBuilder log = new StringBuilder(millis + " start " + fold + " 11\n");
        log.append(millis).append(" epoch ").append(1 + attempt).append('\n');
        if (attempt > 0) {
          log.append(millis).append(" resumed ").append(resumes[attempt - 1]).append('\n');
        }
        // attempts that end by a kill capture, too, and one of a restored end captures nothing
        for (int i = 1; i <= 10; i++) {
          log.append(millis + 6).append(" captured ").append(i).append(' ');
          log.append(i * 1_000_000L * (attempt == 1 ? 10 : 1)).append('\n');
        }
        if (attempt == resumes.length) {
          log.append(millis + 7).append(" step 430\n");
          log.append(millis + 8).append(" sealed STORE 429\n");
          log.append(millis + 9).append(" done ").append(digest);
          log.append(" 0.98 4096\n");
        }
        Files.writeString(
            directory.resolve("fold-" + fold + "-" + millis + "-11.events"), log + "9999 st");
      }
    }
    Timeline timeline = new Timeline(directory);
    timeline.poll();
    return timeline;
  }

  /** A run that found every fold complete. */
  private Timeline rerun(String digest) throws IOException {
    Path directory = Files.createDirectories(root.resolve("again"));
    for (int fold = 0; fold < FoldTraining.FOLDS; fold++) {
      String log = "1 start %d 11\n2 resumed STORE 429\n3 done %s 0.98 4096\n";
      Files.writeString(
          directory.resolve("fold-" + fold + "-1-11.events"), log.formatted(fold, digest));
    }
    Timeline timeline = new Timeline(directory);
    timeline.poll();
    return timeline;
  }

  private DemoReport report(
      Timeline plain, Timeline struck, Timeline rerun, List<Blows.Kill> blows) {
    return DemoReport.of(new DemoReport.Runs(plain, struck, rerun, 6.5), blows, 60);
  }

  @Test
  void succeedsWhenBothBlowsFellAndTheBitsAreTheSame() throws IOException {
    DemoReport report =
        report(
            run("plain", DIGEST),
            run("struck", DIGEST, "NODE 150", "STORE 100"),
            rerun(DIGEST),
            BOTH);
    assertThat(report.problems()).isEmpty();
    assertThat(report.identical()).isTrue();
    assertThat(report.folds().get(3).resumes())
        .containsExactly(
            new FoldReport.Resume(Level.NODE, 150), new FoldReport.Resume(Level.STORE, 100));
    assertThat(report.stallMillis())
        .as("of 10 checkpoints in each of 4 attempts of 4 folds; those of one are ten times slower")
        .isEqualTo(new DemoReport.StallMillis(160, 7, 100, 100));
    assertThat(report.bytesPerCheckpoint()).isEqualTo(4096);
    assertThat(report.rerunSeconds()).isEqualTo(6.5);
    assertThat(report.rerunIterations()).isZero();
  }

  @Test
  void failsWhenADigestDiffers() throws IOException {
    DemoReport report =
        report(
            run("plain", DIGEST),
            run("struck", "cd".repeat(32), "NODE 150", "STORE 100"),
            rerun("cd".repeat(32)),
            BOTH);
    assertThat(report.identical()).isFalse();
    assertThat(report.problems()).singleElement().asString().contains("another digest");
  }

  @Test
  void failsWhenAKillDidNotHappenOrALevelWasNotUsed() throws IOException {
    DemoReport report =
        report(
            run("plain", DIGEST),
            run("struck", DIGEST, "NODE 150", "STORE 0"),
            rerun(DIGEST),
            BOTH.subList(0, 1));
    assertThat(report.problems())
        .hasSize(2)
        .anySatisfy(problem -> assertThat(problem).contains("machine was not killed"))
        .anySatisfy(problem -> assertThat(problem).contains("from STORE"));
  }

  @Test
  void failsWhenTheFinishedJobTrainsAgain() throws IOException {
    Timeline again = run("again", DIGEST, "STORE 428");

    DemoReport report =
        report(run("plain", DIGEST), run("struck", DIGEST, "NODE 150", "STORE 100"), again, BOTH);

    assertThat(report.rerunIterations()).isEqualTo(FoldTraining.FOLDS);
    assertThat(report.problems()).singleElement().asString().contains("finished job computed 4");
  }

  @Test
  void failsWhenAnEndedFoldTrainsAgainOrItsEndIsNotAtStore() throws IOException {
    run("struck", DIGEST, "NODE 150", "STORE 100");
    Files.writeString(
        root.resolve("struck/fold-3-2000-11.events"),
        "2000 start 3 11\n2001 resumed NODE 150\n2002 step 430\n2003 done %s 0.98 4096\n"
            .formatted(DIGEST));
    Timeline struck = new Timeline(root.resolve("struck"));
    struck.poll();

    DemoReport report = report(run("plain", DIGEST), struck, rerun(DIGEST), BOTH);

    assertThat(report.problems())
        .containsExactly(
            "fold-3 ended, and its last iteration was not at STORE",
            "fold-3 had ended, and computed 1 iterations again");
  }

  @Test
  void aFoldThatDidNotEndIsNoSuccess() throws IOException {
    Timeline plain = run("plain", DIGEST);
    Timeline empty = new Timeline(root.resolve("nothing"));
    assertThat(empty.poll()).isEmpty();
    assertThatThrownBy(() -> report(plain, empty, empty, BOTH))
        .hasMessageContaining("fold 0")
        .hasMessageContaining("disturbed");
  }

  @Test
  void followsALogThatGrowsLineByLine() throws IOException {
    Path directory = Files.createDirectories(root.resolve("growing"));
    Path file = directory.resolve("fold-0-1-11.events");
    Timeline timeline = new Timeline(directory);
    Files.writeString(file, "1000 start 0 11\n1001 ste");
    assertThat(timeline.poll()).hasSize(1);
    Files.writeString(file, "1000 start 0 11\n1001 step 7\n");
    assertThat(timeline.poll()).hasSize(1);
    assertThat(timeline.newest(0).orElseThrow().iterations()).isEqualTo(7);
    assertThat(timeline.poll()).isEmpty();
  }
}
