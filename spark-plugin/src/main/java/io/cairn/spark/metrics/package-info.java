/**
 * What the executors report through Spark's own metrics system. Counting lives in {@link
 * io.cairn.engine.runtime.Counters}.
 */
@NullMarked
package io.cairn.spark.metrics;

import org.jspecify.annotations.NullMarked;
