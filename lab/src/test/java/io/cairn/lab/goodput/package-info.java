/** Tests of {@code io.cairn.lab.goodput}. */
@NullMarked
package io.cairn.lab.goodput;

import org.jspecify.annotations.NullMarked;
