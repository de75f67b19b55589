package io.cairn.lab.prove;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.lab.measure.Bar;
import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.FigureTable;
import io.cairn.lab.measure.Scratch;
import io.cairn.lab.prove.ResumeProof.Compared;
import io.cairn.lab.prove.ResumeProof.Control;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A few cases of the matrix, and a few of its controls. */
class ResumeProofTest {
  private static final ProofCase DENSE = new ProofCase(ProofNetwork.DENSE, ProofUpdater.ADAM);
  private static final ProofCase GRAPH = new ProofCase(ProofNetwork.GRAPH, ProofUpdater.AMSGRAD);

  @Test
  void casesAreProvenAndEndInTheMiddleOfAnEpoch() throws Exception {
    try (Scratch scratch = Scratch.create()) {
      ResumeProof proof = new ResumeProof(scratch, () -> {});
      for (ProofCase one : List.of(DENSE, GRAPH)) {
        List<Compared> found = proof.inThisProcess(one, ProofTraining.of(one).undisturbed());

        assertThat(found).as("%s", one).allMatch(Compared::proven);
        assertThat(found).extracting(Compared::from).containsExactly(3L, 5L);
      }
    }
  }

  @Test
  void controlsAreNoticed() throws Exception {
    try (Scratch scratch = Scratch.create()) {
      List<Control> found =
          new ResumeProof(scratch, () -> {})
              .controls(List.of(Omission.UPDATER_STATE, Omission.RECURRENT_STATE));

      assertThat(found).hasSize(3).allMatch(Control::noticed);
    }
  }

  private static List<Compared> compared(long from, boolean identical) {
    return Stream.of(End.values()).map(end -> new Compared(DENSE, end, from, identical)).toList();
  }

  private static List<Control> controls(boolean noticed) {
    return Stream.of("updater state", "constraint")
        .map(omitted -> new Control(omitted, DENSE, noticed))
        .toList();
  }

  /** Of all ends of one case, one omission and the constraint. */
  private static BenchReport report(List<Compared> compared, List<Control> controls) {
    BenchReport report = new BenchReport("resume");
    ResumeProof.add(report, List.of(DENSE), List.of(Omission.UPDATER_STATE), compared, controls);
    return report;
  }

  @Test
  void aProofNeedsCheckpointsEqualityAndControls() {
    assertThat(report(compared(5, true), controls(true)).passed()).isTrue();
    assertThat(report(compared(-1, true), controls(true)).passed()).as("trained afresh").isFalse();
    assertThat(report(compared(5, false), controls(true)).passed()).isFalse();
    assertThat(report(compared(5, true), controls(false)).passed()).isFalse();
  }

  @Test
  void whatIsNotFoundIsNotProven() {
    assertThat(report(List.of(), List.of()).bars()).noneMatch(Bar::met);
    assertThat(report(compared(5, true).subList(0, 2), controls(true)).passed()).isFalse();
    assertThat(report(compared(5, true), controls(true).subList(0, 1)).passed()).isFalse();
  }

  @Test
  void equalityAndCheckpointAreFiguresOfTheirOwn() {
    FigureTable.Row resumed =
        report(compared(5, false), controls(true)).tables().get(0).rows().get(0);
    assertThat(resumed.get("sigkill identical")).isEqualTo(false);
    assertThat(resumed.number("sigkill from")).isEqualTo(5);
    FigureTable.Row afresh =
        report(compared(-1, true), controls(true)).tables().get(0).rows().get(0);
    assertThat(afresh.get("return identical")).isEqualTo(true);
    assertThat(afresh.get("return from")).isNull();
  }
}
