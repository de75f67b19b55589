package io.cairn.lab.bench.collaborative;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.cairn.core.flow.Transfer;
import io.cairn.core.flow.TransferPlan;
import io.cairn.lab.study.schedule.Algorithm;
import io.cairn.lab.study.throttle.LinkTable;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class PlanTimesTest {
  private static final int DEVICES = 8;
  private static final int CACHE_CHUNKS = 100;

  private final LinkTable table = LinkTable.of(PlayedMachine.real(DEVICES), 1);

  @RepeatedTest(20)
  void asDeclaredTheyAreThePlans(RepetitionInfo repetition) {
    long seed = repetition.getCurrentRepetition();
    SplittableRandom random = new SplittableRandom(seed);
    List<Long> bytes =
        random
            .longs(DEVICES, 1, 2 * CACHE_CHUNKS)
            .map(chunks -> chunks * 1_000_000)
            .boxed()
            .toList();
    Moment moment = new Moment(seed, CACHE_CHUNKS, bytes);
    for (Algorithm algorithm : Algorithm.values()) {
      TransferPlan plan = moment.plan(algorithm);
      assertThat(PlanTimes.seconds(plan.transfers(), table))
          .as("seed %d, %s", seed, algorithm)
          .isCloseTo(plan.blockingSeconds(), within(1e-9));
    }
  }

  @Test
  void aSlowLinkCountsForWhatPassesIt() {
    // 2 s over the link to 1 at 25 GB/s, 3 s over the link to 3 at 50 GB/s
    List<Transfer> transfers = List.of(new Transfer(0, 1, 50e9), new Transfer(0, 3, 150e9));
    assertThat(PlanTimes.seconds(transfers, table)).isCloseTo(3, within(1e-9));
    assertThat(PlanTimes.seconds(transfers, table.with(0, 1, 0.5))).isCloseTo(4, within(1e-9));
    assertThat(PlanTimes.seconds(transfers, table.with(0, 3, 0.5))).isCloseTo(6, within(1e-9));
    assertThat(PlanTimes.seconds(transfers, table.with(1, 0, 0.5))).isCloseTo(3, within(1e-9));
  }

  @Test
  void devicesBehindOneSwitchWaitForEachOther() {
    List<Transfer> transfers =
        List.of(new Transfer(0, Transfer.HOST, 12e9), new Transfer(1, Transfer.HOST, 24e9));
    assertThat(PlanTimes.seconds(transfers, table)).isCloseTo(3, within(1e-9));
  }
}
