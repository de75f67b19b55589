package io.cairn.spark.ui;

import io.cairn.spark.ui.model.BoardView;
import org.apache.spark.util.kvstore.KVIndex;

/** A view in the history server's store, which reads and writes the fields of this class. */
final class StoredView {
  /** The key of the one view of an application. */
  static final String NAME = "checkpoints";

  /** The key. */
  @KVIndex public String name = NAME;

  /** The view as JSON. */
  public String json = "";

  /** For the store. */
  StoredView() {}

  static StoredView of(BoardView view) {
    StoredView stored = new StoredView();
    stored.json = PageJson.write(view);
    return stored;
  }

  BoardView view() {
    return PageJson.read(json, BoardView.class);
  }
}
