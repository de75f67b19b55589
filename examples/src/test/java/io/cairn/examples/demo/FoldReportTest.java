package io.cairn.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.examples.digits.FoldTraining;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reports from hand-made logs: fold 0 was killed once, and once more after it had ended. */
class FoldReportTest {
  private static final String DONE = "done " + "ab".repeat(32) + " 0.98 4096";

  @TempDir Path root;
  private DemoReport report;

  @BeforeEach
  void readLogs() throws IOException {
    write("plain", 0, 1, DONE);
    for (int fold = 1; fold < FoldTraining.FOLDS; fold++) {
      write("plain", fold, 1, DONE);
      write("struck", fold, 1, "step 1", "sealed STORE 0", DONE);
    }
    write(
        "struck",
        0,
        1000,
        "epoch 1",
        "step 1",
        "captured 0 1000000",
        "cadence 0 1 10 50 NaN NaN NaN NaN NaN start",
        "sealed NODE 0",
        "sealed STORE 0",
        "step 2",
        "not-at-device 1 the group is about to change its cadence",
        "step 3",
        "captured 2 1000000",
        "cadence 2 1 2 40 25.500000 0.300000 4.000000 NaN 0.012000 node within, store optimum",
        "waste 61.000000 0.010000 0.500000",
        "waste 62.000000 0.011000 0.020000",
        "sealed NODE 2",
        "step 4");
    write(
        "struck",
        0,
        2000,
        "epoch 2",
        "resumed NODE 2",
        "step 4",
        "captured 3 1000000",
        "not-at-device 3 a lender does not hold its part",
        "sealed STORE 3",
        "sealed NODE 3",
        "sealed NODE 2",
        DONE);
    write("struck", 0, 3000, "epoch 3", "resumed STORE 3", DONE);
    report =
        DemoReport.of(
            new DemoReport.Runs(timeline("plain"), timeline("struck"), timeline("plain"), 5),
            List.of(),
            9);
  }

  private void write(String run, int fold, long millis, String... lines) throws IOException {
    StringBuilder log = new StringBuilder(millis + " start " + fold + " 11\n");
    for (String line : lines) {
      log.append(millis).append(' ').append(line).append('\n');
    }
    Path directory = Files.createDirectories(root.resolve(run));
    Files.writeString(
        directory.resolve(String.format(Locale.ROOT, "fold-%d-%d-11.events", fold, millis)), log);
  }

  private Timeline timeline(String run) throws IOException {
    Timeline timeline = new Timeline(root.resolve(run));
    timeline.poll();
    return timeline;
  }

  @Test
  void countsCapturesAndTheReasonsOfOthersOverAllAttempts() {
    FoldReport fold = report.folds().get(0);

    assertThat(fold.iterations()).isEqualTo(5);
    assertThat(fold.captured()).isEqualTo(3);
    assertThat(fold.notCaptured())
        .isEqualTo(Map.of("the group is about to change its cadence", 1L, FoldReport.CUT_OFF, 1L));
  }

  @Test
  void namesEachSealedIterationOnce() {
    assertThat(report.folds().get(0).seals())
        .isEqualTo(new FoldReport.Seals(List.of(0L, 2L, 3L), List.of(0L, 3L)));
  }

  @Test
  void anEndAtStoreCostsAnEndedFoldNothing() {
    FoldReport fold = report.folds().get(0);

    assertThat(fold.endSealed()).isTrue();
    assertThat(fold.attemptsAfterEnd()).isEqualTo(1);
    assertThat(fold.iterationsAfterEnd()).isZero();
  }

  @Test
  void aSealThatCameAfterTheEndDoesNotCountAsItsEnd() throws IOException {
    write("struck", 2, 1, "step 1", "step 2", "sealed STORE 0", DONE);
    write("struck", 2, 2, "resumed STORE 0", "step 2", "sealed STORE 1", DONE);

    FoldReport fold = FoldReport.of(2, timeline("plain"), timeline("struck"));

    assertThat(fold.endSealed()).isFalse();
    assertThat(fold.iterationsAfterEnd()).isEqualTo(1);
  }

  @Test
  void listsThePlansWithTheirMeasurements() {
    assertThat(report.cadence())
        .containsExactly(
            new CadenceSummary.Plan(0, 1, 0, 1, 10, 50, "start", null, null),
            new CadenceSummary.Plan(
                0,
                1,
                2,
                1,
                2,
                40,
                "node within, store optimum",
                new CadenceSummary.Measured(25.5, 0.3, 4.0, null),
                0.012));
  }

  @Test
  void aShortAttemptComparesNoWaste() throws IOException {
    write("short", 0, 3000, "epoch 1", "step 1", "waste 59.900000 0.092000 -0.188000");
    Timeline timeline = new Timeline(root.resolve("short"));
    timeline.poll();

    assertThat(timeline.attempts(0)).hasSize(1);
    assertThat(CadenceSummary.waste(timeline.attempts(0).get(0))).isEmpty();
  }

  @Test
  void comparesPredictedAndAchievedWasteAtTheLastReport() {
    assertThat(report.waste()).containsExactly(new CadenceSummary.Waste(0, 1, 62, 0.011, 0.02));
  }

  @Test
  void theSummaryPrintsCountsAndNoClaim() {
    StringWriter text = new StringWriter();

    new DemoSummary(report, new PrintWriter(text, true)).print("lineage.svg");

    assertThat(text.toString())
        .contains("captured 3 of 5 iterations, sealed 3 at NODE and 2 at STORE")
        .contains("resumed from NODE at 2, then STORE at 3; had ended before, and computed 0 again")
        .contains("captured 3 of 8 iterations")
        .contains("1 not captured: the group is about to change its cadence")
        .contains("node within, store optimum")
        .doesNotContain("every iteration");
  }
}
