package io.cairn.lab.prove;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.lab.measure.MeasuredMachine;
import io.cairn.lab.measure.Scratch;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A few omissions and flips in each build, and a hundred of them as a proof. */
class CertifyProofTest {
  private static CertifyReport run(
      long seed, List<Omission> omissions, int ways, List<ProofCase> cases, int flips)
      throws Exception {
    try (Scratch scratch = Scratch.create()) {
      return new CertifyProof(scratch, seed, () -> {}).run(omissions, ways, cases, flips);
    }
  }

  @Test
  void plantedOmissionsAndFlipsAreCaught() throws Exception {
    CertifyReport report =
        run(
            3,
            List.of(Omission.GENERATOR, Omission.SHUFFLE),
            1,
            List.of(new ProofCase(ProofNetwork.GRAPH, ProofUpdater.AMSGRAD)),
            2);

    assertThat(report.planted()).as("%s", report).hasSize(4);
    assertThat(report.passed()).as("%s", report).isTrue();
    assertThat(report.sound()).isEqualTo(4);
  }

  @Test
  @Tag("proof")
  void aHundredOfAHundredAreCaught() throws Exception {
    CertifyReport report = run(1, Omission.all(), 5, ProofCase.all(), 45);

    assertThat(report.planted()).hasSize(100);
    assertThat(report.planted())
        .allMatch(planted -> planted.outcome() == CertifyReport.Outcome.CAUGHT);
    assertThat(report.alarms()).isZero();
  }

  private static CertifyReport report(int alarms, CertifyReport.Outcome... outcomes) {
    return new CertifyReport(
        "2026-11-25T00:00:00Z",
        MeasuredMachine.current(),
        1,
        1,
        alarms,
        Arrays.stream(outcomes)
            .map(
                outcome ->
                    new CertifyReport.Planted(
                        "flip",
                        new ProofCase(ProofNetwork.DENSE, ProofUpdater.SGD),
                        1,
                        2,
                        outcome,
                        ""))
            .toList());
  }

  @Test
  void aProofHasNoAlarmAndMissesNothing() {
    assertThat(report(0, CertifyReport.Outcome.CAUGHT).passed()).isTrue();
    assertThat(report(1, CertifyReport.Outcome.CAUGHT).passed()).isFalse();
    assertThat(report(0, CertifyReport.Outcome.CAUGHT, CertifyReport.Outcome.MISSED).passed())
        .isFalse();
    assertThat(report(0).passed()).as("nothing was planted").isFalse();
  }
}
