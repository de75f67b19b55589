/** Tests of {@code io.cairn.lab.study.goodput}. */
@NullMarked
package io.cairn.lab.study.goodput;

import org.jspecify.annotations.NullMarked;
