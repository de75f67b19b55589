package io.cairn.spark.ui;

import io.cairn.spark.ui.model.Board;
import io.cairn.spark.ui.model.Round;
import org.apache.spark.SparkContext;
import org.apache.spark.ui.SparkUI;
import scala.Option;

/** The rounds of a running application: on the listener bus, and on the page. Thread-safe. */
public final class LivePage {
  private final SparkContext spark;

  private LivePage(SparkContext spark) {
    this.spark = spark;
  }

  /** Whether anybody would see rounds: Spark's UI or its event log is on. */
  public static boolean isSeen(SparkContext spark) {
    return spark.conf().getBoolean("spark.ui.enabled", true)
        || spark.conf().getBoolean("spark.eventLog.enabled", false);
  }

  /** Adds the tab, if the application has a UI. */
  public static LivePage open(SparkContext spark) {
    Option<SparkUI> ui = spark.ui();
    if (ui.isDefined()) {
      Board board = new Board();
      spark.addSparkListener(new RoundListener(board));
      CheckpointsTab.attach(ui.get(), () -> board.view(System.currentTimeMillis()));
    }
    return new LivePage(spark);
  }

  /** Posts a round on the bus, which drops it if its queue is full. */
  public void post(Round round) {
    spark.listenerBus().post(new RoundEvent(round));
  }
}
