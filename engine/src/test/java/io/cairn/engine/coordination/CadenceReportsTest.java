package io.cairn.engine.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.core.cadence.CadencePlan;
import io.cairn.core.cadence.CadenceReport;
import io.cairn.core.cadence.PeriodBound;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CadenceReportsTest {
  private static final GroupId GROUP = new GroupId("job", "group");

  private final AtomicLong clock = new AtomicLong();
  private final CadenceReports reports = new CadenceReports(clock::get);

  private static CadenceReport report(PeriodBound device) {
    return new CadenceReport(
        new CadencePlan(1, 0, Map.of(Level.DEVICE, 7L, Level.NODE, 14L)),
        Map.of(Level.DEVICE, device),
        Optional.empty(),
        0.01,
        0.01,
        0.01,
        20);
  }

  @Test
  void aStallThatStaysIsReportedLessAndLessOften() {
    Optional<String> first = reports.warningOfStall(GROUP, report(PeriodBound.STALL));
    Optional<String> again = reports.warningOfStall(GROUP, report(PeriodBound.STALL));
    clock.addAndGet(Duration.ofMinutes(1).toNanos());
    Optional<String> later = reports.warningOfStall(GROUP, report(PeriodBound.STALL));

    assertThat(first.orElseThrow()).contains("job/group", "one of 7");
    assertThat(again).isEmpty();
    assertThat(later.orElseThrow()).contains("and 1 more");
  }

  @Test
  void anotherGroupOrNoStallIsNotAffected() {
    reports.warningOfStall(GROUP, report(PeriodBound.STALL));

    assertThat(reports.warningOfStall(new GroupId("job", "other"), report(PeriodBound.STALL)))
        .isPresent();
    assertThat(reports.warningOfStall(GROUP, report(PeriodBound.OPTIMUM))).isEmpty();
  }
}
