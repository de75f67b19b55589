package io.cairn.adjoint.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.GroupId;
import io.cairn.Member;
import io.cairn.core.sharing.DeskMessage.Report;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which reports make a plan together. */
class ReportsTest {
  private static final int CHUNK = 4096;
  private final Reports reports = new Reports(0, 3);

  private static Report report(int device, long number, long chunks) {
    return report(device, "first", number, CHUNK, chunks);
  }

  private static Report report(int device, String life, long number, int bytes, long chunks) {
    Member process = new Member(new GroupId("a", "b"), device, 3);
    return Reports.report(process, life, number, bytes, chunks);
  }

  /** Of a process that has not reported yet. */
  private static Report none(int device, String life) {
    return report(device, life, 0, 1, 0);
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
    reports.heard(none(1, "second"));
    assertThat(reports.plan()).isNull();
    reports.heard(report(1, "second", 1, CHUNK, 3));
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
    reports.heard(report(2, "first", 1, 2 * CHUNK, 100));
    assertThat(reports.plan()).isEqualTo(Map.of(0, -5L, 1, 7L, 2, 0L));
  }

  @Test
  void aReportCountsAllChunks() {
    reports.report(CHUNK, -3_000_000);
    reports.heard(report(1, 1, 3_000_000));
    reports.heard(report(2, 1, -3_000_001));
    assertThat(reports.plan()).isEqualTo(Map.of(0, -3_000_000L, 1, 3_000_000L, 2, -3_000_001L));
  }

  @Test
  void refusesReportsOfOtherDevices() {
    assertThatThrownBy(() -> reports.heard(report(0, 1, 0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("device 0");
    Report fourth = Reports.report(new Member(new GroupId("a", "b"), 3, 4), "first", 1, CHUNK, 0);
    assertThatThrownBy(() -> reports.heard(fourth))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("device 3 of 4");
    assertThatThrownBy(() -> report(-1, 1, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("rank -1");
  }
}
