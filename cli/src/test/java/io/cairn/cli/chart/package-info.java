/** Tests of {@code io.cairn.cli.chart}. */
@NullMarked
package io.cairn.cli.chart;

import org.jspecify.annotations.NullMarked;
