/** Tests of {@code io.cairn.core.pattern}. */
@NullMarked
package io.cairn.core.pattern;

import org.jspecify.annotations.NullMarked;
