package io.cairn.spark.ui;

import io.cairn.spark.ui.model.Board;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.scheduler.SparkListenerExecutorAdded;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;

/** Puts rounds, and the life of executors and jobs, on a board. Thread-safe. */
final class RoundListener extends SparkListener {
  private final Board board;

  RoundListener(Board board) {
    this.board = board;
  }

  @Override
  public void onOtherEvent(SparkListenerEvent event) {
    if (event instanceof RoundEvent news && news.round() != null) {
      board.add(news.round());
    }
  }

  @Override
  public void onJobStart(SparkListenerJobStart start) {
    board.began(start.jobId());
  }

  @Override
  public void onJobEnd(SparkListenerJobEnd end) {
    board.ended(end.jobId(), end.time());
  }

  @Override
  public void onExecutorAdded(SparkListenerExecutorAdded added) {
    board.started(added.executorId(), added.executorInfo().executorHost());
  }

  @Override
  public void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
    board.gone(removed.executorId(), removed.time(), removed.reason());
  }
}
