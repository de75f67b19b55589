/**
 * The page "Checkpoints" as HTML and SVG, from a view of the board. Knows neither Spark nor the
 * engine, loads nothing from elsewhere, and needs no JavaScript. All text is escaped in one place,
 * {@link io.cairn.spark.ui.page.Html}.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.spark.ui.page;

import org.jspecify.annotations.NullMarked;
