package io.cairn.lab.prove;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.Scratch;
import io.cairn.lab.prove.ResumeProof.Compared;
import io.cairn.lab.prove.ResumeProof.Control;
import java.util.List;
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

  private static BenchReport report(long from, boolean identical, boolean noticed) {
    BenchReport report = new BenchReport("resume");
    ResumeProof.add(
        report,
        List.of(new Compared(DENSE, End.SIGKILL, from, identical)),
        List.of(new Control("position", DENSE, noticed)));
    return report;
  }

  @Test
  void aProofNeedsCheckpointsEqualityAndControls() {
    assertThat(report(5, true, true).passed()).isTrue();
    assertThat(report(-1, true, true).passed()).as("trained afresh").isFalse();
    assertThat(report(5, false, true).passed()).isFalse();
    assertThat(report(5, true, false).passed()).isFalse();
    assertThat(report(5, true, true).tables().get(0).rows().get(0).get("sigkill"))
        .isEqualTo("identical from 5");
  }
}
