/** Tests of {@code io.cairn.core.protocol}. */
@NullMarked
package io.cairn.core.protocol;

import org.jspecify.annotations.NullMarked;
