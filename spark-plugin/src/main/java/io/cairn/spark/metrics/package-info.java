/** What the executors report through Spark's own metrics system. */
@NullMarked
package io.cairn.spark.metrics;

import org.jspecify.annotations.NullMarked;
