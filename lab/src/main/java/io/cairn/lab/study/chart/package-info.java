/**
 * Pictures, as SVG and PNG, without a display: charts in one style, and drawings. Their content
 * lives with the commands that draw them; pictures that need no fonts are in {@link
 * io.cairn.cli.picture}.
 */
@NullMarked
package io.cairn.lab.study.chart;

import org.jspecify.annotations.NullMarked;
