/** Tests of {@code io.cairn.core.layout}. */
@NullMarked
package io.cairn.core.layout;

import org.jspecify.annotations.NullMarked;
