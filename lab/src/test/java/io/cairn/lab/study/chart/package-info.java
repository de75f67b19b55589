/** Tests of {@code io.cairn.lab.study.chart}. */
@NullMarked
package io.cairn.lab.study.chart;

import org.jspecify.annotations.NullMarked;
