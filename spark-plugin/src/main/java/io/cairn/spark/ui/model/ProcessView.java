package io.cairn.spark.ui.model;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one process.
 *
 * @param host empty while unknown
 * @param cache null without one
 * @param goodputNanos time by cause
 * @param lastMillis of its last round, since 1970
 * @param goneMillis when Spark removed it; 0 while it lives
 * @param goneReason as Spark reports it
 */
public record ProcessView(
    String process,
    String host,
    @Nullable CacheRow cache,
    Map<String, Long> goodputNanos,
    long lastMillis,
    long goneMillis,
    String goneReason) {
  /** Clips texts. */
  public ProcessView {
    process = Rows.text(process);
    host = Rows.text(host);
    goodputNanos = Rows.map(goodputNanos, 32);
    goneReason = Rows.text(goneReason);
  }

  /** Whether Spark removed it. */
  public boolean isGone() {
    return goneMillis > 0;
  }
}
