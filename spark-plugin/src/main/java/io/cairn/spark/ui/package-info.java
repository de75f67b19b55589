/**
 * The tab "Checkpoints" of Spark's UI, live and in the history server. Rounds of executors become
 * events of Spark's listener bus, and so lie in the event log, which the history server replays.
 * The figures are {@link io.cairn.spark.ui.model}, their picture is {@link io.cairn.spark.ui.page};
 * this package knows Spark. A version of Spark that it does not fit has no tab, and everything else
 * works.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.spark.ui;

import org.jspecify.annotations.NullMarked;
