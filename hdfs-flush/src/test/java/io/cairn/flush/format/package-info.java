/** Tests of {@code io.cairn.flush.format}. */
@NullMarked
package io.cairn.flush.format;

import org.jspecify.annotations.NullMarked;
