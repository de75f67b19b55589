package io.cairn.spark.ui;

import static org.assertj.core.api.Assertions.assertThat;

import io.cairn.spark.ui.model.Board;
import io.cairn.spark.ui.model.RankView;
import io.cairn.spark.ui.model.Round;
import io.cairn.spark.ui.model.RunningRow;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.spark.scheduler.JobSucceeded$;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.junit.jupiter.api.Test;
import scala.collection.immutable.List$;

/** What Spark's bus and its event log say of executors and jobs, on the board. */
class RoundListenerTest {
  private final Board board = new Board();
  private final RoundListener listener = new RoundListener(board);

  private RankView.State state() {
    return board.view().ranks().get(0).state();
  }

  @Test
  void aRankHasNoProcessFromTheEndOfItsExecutorToThatOfItsJob() {
    listener.onJobStart(new SparkListenerJobStart(4, 1, List$.MODULE$.empty(), new Properties()));
    Round round =
        new Round(
            "1",
            1,
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            null,
            Map.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(new RunningRow("g", 0, 7, Map.of())));
    listener.onOtherEvent(new RoundEvent(round));
    assertThat(state()).isEqualTo(RankView.State.RUNS);

    listener.onExecutorRemoved(new SparkListenerExecutorRemoved(2, "1", "killed"));
    assertThat(state()).isEqualTo(RankView.State.PROCESS_GONE);

    listener.onJobEnd(new SparkListenerJobEnd(4, 3, JobSucceeded$.MODULE$));
    assertThat(state()).isEqualTo(RankView.State.LEFT);
    assertThat(board.view().ranks().get(0).stateMillis()).isEqualTo(3);
  }
}
