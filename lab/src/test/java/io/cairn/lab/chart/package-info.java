/** Tests of {@code io.cairn.lab.chart}. */
@NullMarked
package io.cairn.lab.chart;

import org.jspecify.annotations.NullMarked;
