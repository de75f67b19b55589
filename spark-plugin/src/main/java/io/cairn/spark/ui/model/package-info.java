/**
 * The figures of the page "Checkpoints": rounds that processes report, and the board that collects
 * them in bounded memory. Knows neither Spark nor the engine; Spark's event log holds its records
 * as JSON. Records take whatever a log may hold, and clip it.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.spark.ui.model;

import org.jspecify.annotations.NullMarked;
