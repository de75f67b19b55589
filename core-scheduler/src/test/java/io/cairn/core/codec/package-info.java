/** Tests of {@code io.cairn.core.codec}. */
@NullMarked
package io.cairn.core.codec;

import org.jspecify.annotations.NullMarked;
