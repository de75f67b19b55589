/** Tests of {@code io.cairn.core.goodput}. */
@NullMarked
package io.cairn.core.goodput;

import org.jspecify.annotations.NullMarked;
