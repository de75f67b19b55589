package io.cairn.spark.ui;

import io.cairn.spark.ui.model.Board;
import io.cairn.spark.ui.model.BoardView;
import java.util.NoSuchElementException;
import org.apache.spark.SparkConf;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.status.AppHistoryServerPlugin;
import org.apache.spark.status.ElementTrackingStore;
import org.apache.spark.ui.SparkUI;
import org.apache.spark.util.kvstore.KVStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.collection.immutable.List$;
import scala.collection.immutable.Seq;
import scala.runtime.BoxedUnit;

/**
 * The tab in the history server, which finds this class by {@code META-INF/services}. A replay puts
 * the log's rounds on a board, whose view the application's store keeps: it may outlive the replay
 * on disk. An application without rounds has no tab.
 */
public final class CheckpointsHistory implements AppHistoryServerPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(CheckpointsHistory.class);

  /** For Spark. */
  public CheckpointsHistory() {}

  @Override
  public Seq<SparkListener> createListeners(SparkConf conf, ElementTrackingStore store) {
    Board board = new Board();
    store.onFlush(
        () -> {
          keep(board.view(), store);
          return BoxedUnit.UNIT;
        });
    return List$.MODULE$.<SparkListener>empty().$colon$colon(new RoundListener(board));
  }

  private static void keep(BoardView view, ElementTrackingStore store) {
    if (!view.ranks().isEmpty()) {
      store.write(StoredView.of(view));
    }
  }

  @Override
  public void setupUI(SparkUI ui) {
    KVStore store = ui.store().store();
    try {
      BoardView view = store.read(StoredView.class, StoredView.NAME).view();
      CheckpointsTab.attach(ui, () -> view);
    } catch (NoSuchElementException e) {
      LOG.debug("{} has no checkpoints", ui.appName(), e);
    } catch (Exception e) {
      LOG.warn("The checkpoints of {} cannot be shown", ui.appName(), e);
    }
  }
}
