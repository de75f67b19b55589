package io.cairn.lab.prove;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.lab.measure.BenchReport;
import io.cairn.lab.measure.Scratch;
import io.cairn.lab.prove.CertifyProof.Fate;
import io.cairn.lab.prove.CertifyProof.Planted;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A few omissions and flips in each build, and a hundred of them as a proof. */
class CertifyProofTest {
  private static BenchReport run(
      long seed, List<Omission> omissions, int ways, List<ProofCase> cases, int flips)
      throws Exception {
    try (Scratch scratch = Scratch.create()) {
      BenchReport report = new BenchReport("certify");
      new CertifyProof(scratch, seed, () -> {}).run(omissions, ways, cases, flips, report);
      return report;
    }
  }

  @Test
  void plantedOmissionsAndFlipsAreCaught() throws Exception {
    BenchReport report =
        run(
            3,
            List.of(Omission.GENERATOR, Omission.SHUFFLE),
            1,
            List.of(new ProofCase(ProofNetwork.GRAPH, ProofUpdater.AMSGRAD)),
            2);

    assertThat(caught(report)).as("%s", report.lines()).isEqualTo(4);
    assertThat(report.passed()).as("%s", report.lines()).isTrue();
    assertThat(report.lines()).contains("4 of 4 sound replays certified");
  }

  private static double caught(BenchReport report) {
    return report.tables().get(0).rows().stream().mapToDouble(row -> row.number("caught")).sum();
  }

  @Test
  @Tag("proof")
  void aHundredOfAHundredAreCaught() throws Exception {
    BenchReport report = run(1, Omission.all(), 5, ProofCase.all(), 45);

    assertThat(caught(report)).isEqualTo(100);
    assertThat(report.passed()).isTrue();
  }

  private static BenchReport report(int alarms, Fate... fates) {
    BenchReport report = new BenchReport("certify");
    CertifyProof.Way way =
        new CertifyProof.Way(new ProofCase(ProofNetwork.DENSE, ProofUpdater.SGD), 1, 2);
    List<Planted> planted =
        Arrays.stream(fates).map(fate -> new Planted("flip", way, fate, "")).toList();
    CertifyProof.add(report, planted, 1, alarms);
    return report;
  }

  @Test
  void aProofHasNoAlarmAndMissesNothing() {
    assertThat(report(0, Fate.CAUGHT).passed()).isTrue();
    assertThat(report(1, Fate.CAUGHT).passed()).isFalse();
    assertThat(report(0, Fate.CAUGHT, Fate.MISSED).passed()).isFalse();
    assertThat(report(0).passed()).as("nothing was planted").isFalse();
  }
}
