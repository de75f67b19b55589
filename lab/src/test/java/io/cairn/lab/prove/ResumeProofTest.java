package io.cairn.lab.prove;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.lab.measure.MeasuredMachine;
import io.cairn.lab.measure.Scratch;
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
        List<ResumeReport.Compared> found =
            proof.inThisProcess(one, ProofTraining.of(one).undisturbed());

        assertThat(found).as("%s", one).allMatch(ResumeReport.Compared::proven);
        assertThat(found).extracting(ResumeReport.Compared::from).containsExactly(3L, 5L);
      }
    }
  }

  @Test
  void controlsAreNoticed() throws Exception {
    try (Scratch scratch = Scratch.create()) {
      List<ResumeReport.Control> found =
          new ResumeProof(scratch, () -> {})
              .controls(List.of(Omission.UPDATER_STATE, Omission.RECURRENT_STATE));

      assertThat(found).hasSize(3).allMatch(ResumeReport.Control::noticed);
    }
  }

  private static ResumeReport report(long from, boolean identical, boolean noticed) {
    return new ResumeReport(
        "2026-11-25T00:00:00Z",
        MeasuredMachine.current(),
        1,
        List.of(new ResumeReport.Compared("dense", ProofUpdater.SGD, End.SIGKILL, from, identical)),
        List.of(new ResumeReport.Control("position", "dense", ProofUpdater.SGD, noticed)));
  }

  @Test
  void aProofNeedsCheckpointsEqualityAndControls() {
    assertThat(report(5, true, true).passed()).isTrue();
    assertThat(report(-1, true, true).passed()).as("trained afresh").isFalse();
    assertThat(report(5, false, true).passed()).isFalse();
    assertThat(report(5, true, false).passed()).isFalse();
  }
}
