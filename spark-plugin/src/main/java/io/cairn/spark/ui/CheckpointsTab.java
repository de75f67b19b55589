package io.cairn.spark.ui;

import io.cairn.spark.ui.model.BoardView;
import java.util.function.Supplier;
import org.apache.spark.ui.SparkUI;
import org.apache.spark.ui.SparkUITab;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tab, with its one page. */
final class CheckpointsTab extends SparkUITab {
  private static final Logger LOG = LoggerFactory.getLogger(CheckpointsTab.class);

  private CheckpointsTab(SparkUI ui, Supplier<BoardView> view) {
    super(ui, "checkpoints");
    attachPage(new CheckpointsPage(this, view));
  }

  /**
   * Adds the tab to a UI. One that does not fit stays without, and the log says so.
   *
   * @param view the present figures; called by each request, on its thread
   */
  static void attach(SparkUI ui, Supplier<BoardView> view) {
    try {
      ui.attachTab(new CheckpointsTab(ui, view));
    } catch (LinkageError | RuntimeException e) {
      LOG.warn("Spark's UI has no tab for checkpoints: this version of Spark does not fit", e);
    }
  }
}
