/**
 * The metrics of executors and driver in Spark's metrics system. Counting lives in {@link
 * io.cairn.engine.events.Counters}, {@link io.cairn.engine.events.GoodputBook} and {@link
 * io.cairn.engine.coordination.CadenceReports}.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.spark.metrics;

import org.jspecify.annotations.NullMarked;
