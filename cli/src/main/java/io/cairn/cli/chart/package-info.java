/**
 * Pictures, as SVG and PNG, without a display: charts in one style, and drawings. What they show
 * lives with the commands that draw them.
 */
@NullMarked
package io.cairn.cli.chart;

import org.jspecify.annotations.NullMarked;
