/** Tests of {@code io.cairn}. */
@NullMarked
package io.cairn;

import org.jspecify.annotations.NullMarked;
