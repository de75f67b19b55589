package io.cairn.spark.executor;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.CairnEvent;
import io.cairn.CheckpointId;
import io.cairn.GroupId;
import io.cairn.engine.events.Counters;
import io.cairn.engine.events.GoodputBook;
import io.cairn.spark.metrics.ProcessTotals;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Totals that the driver takes, or does not. */
class TotalsSenderTest {
  private final Counters counters = new Counters();
  private final GoodputBook goodput = new GoodputBook(() -> 0, () -> 0, 0);
  private final List<byte[]> arrived = new ArrayList<>();
  private boolean driverAnswers;

  private boolean send(byte[] message) {
    arrived.add(message);
    return driverAnswers;
  }

  private TotalsSender sender() {
    return new TotalsSender(() -> ProcessTotals.of("7", counters, goodput, List.of()), this::send);
  }

  /** A rank that hangs changes nothing after its only report. */
  @Test
  void lostTotalsAreSentAgain() {
    try (TotalsSender sender = sender()) {
      sender.send();
      sender.send();
      assertThat(arrived).hasSize(2);

      driverAnswers = true;
      sender.send();
      sender.send();
      assertThat(arrived).as("the driver has them").hasSize(3);
    }
  }

  @Test
  void theLastOnesAreSentAtTheEnd() {
    driverAnswers = true;
    TotalsSender sender = sender();
    sender.send();
    counters.accept(new CairnEvent.Evicted(new CheckpointId(new GroupId("job", "g"), 1, 1), 0));
    sender.close();
    sender.close();

    assertThat(arrived).hasSize(2);
    assertThat(ProcessTotals.decode(arrived.get(1)).values()).contains(1L);
  }
}
