/**
 * Charts with axes as PNG and SVG, drawn by XChart in one style. What they show is the business of
 * the commands; pictures without axes are in {@link io.cairn.cli.picture}.
 */
@NullMarked
package io.cairn.cli.chart;

import org.jspecify.annotations.NullMarked;
