package io.cairn.adjoint.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.adjoint.history.LoanMessage.Report;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which reports make a plan together. */
class LoanReportsTest {
  private static final int CHUNK = 4096;
  private final LoanReports reports = new LoanReports(0, 3);

  private static Report report(int device, long number, long chunks) {
    return new Report(device, 1, number, true, CHUNK, chunks);
  }

  @Test
  void aPlanTakesOneNewReportOfEachProcess() {
    reports.report(CHUNK, -5);
    reports.heard(report(1, 1, 7));
    assertThat(reports.plan()).isNull();
    reports.heard(report(2, 1, 0));

    assertThat(reports.plan()).isEqualTo(Map.of(0, -5L, 1, 7L, 2, 0L));

    assertThat(reports.plan()).isNull();
    reports.report(CHUNK, -6);
    reports.heard(report(1, 2, 8));
    assertThat(reports.plan()).as("device 2 has not reported anew").isNull();
    reports.heard(report(2, 2, 1));
    assertThat(reports.plan()).isEqualTo(Map.of(0, -6L, 1, 8L, 2, 1L));
  }

  @Test
  void theNewestReportCounts() {
    reports.report(CHUNK, -5);
    reports.heard(report(2, 1, 0));
    reports.heard(report(1, 2, 9));
    reports.heard(report(1, 1, 7));
    assertThat(reports.plan()).containsEntry(1, 9L);

    reports.report(CHUNK, -5);
    reports.heard(report(1, 2, 9));
    reports.heard(report(2, 1, 0));
    assertThat(reports.plan()).as("reports that came again").isNull();
  }

  @Test
  void aProcessThatStartedAgainCountsFromItsFirstReport() {
    reports.report(CHUNK, -5);
    reports.heard(report(1, 9, 9));
    reports.heard(report(2, 1, 0));
    reports.heard(new Report(1, 2, 0, false, 0, 0));
    assertThat(reports.plan()).isNull();
    reports.heard(new Report(1, 2, 1, true, CHUNK, 3));
    assertThat(reports.plan()).containsEntry(1, 3L);
  }

  @Test
  void aProcessThatWithdrawsTakesNoPart() {
    reports.report(CHUNK, -5);
    reports.heard(report(1, 1, 7));
    reports.withdraw();
    reports.heard(report(2, 1, 0));
    assertThat(reports.plan()).isNull();
  }

  @Test
  void chunksOfAnotherLengthCountAsNone() {
    reports.report(CHUNK, -5);
    reports.heard(report(1, 1, 7));
    reports.heard(new Report(2, 1, 1, true, 2 * CHUNK, 100));
    assertThat(reports.plan()).isEqualTo(Map.of(0, -5L, 1, 7L, 2, 0L));
  }

  @Test
  void refusesReportsOfOtherDevices() {
    for (int device : new int[] {-1, 0, 3}) {
      assertThatThrownBy(() -> reports.heard(report(device, 1, 0)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("device " + device);
    }
  }
}
