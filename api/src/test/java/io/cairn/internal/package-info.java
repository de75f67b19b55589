/** Tests of {@code io.cairn.internal}. */
@NullMarked
package io.cairn.internal;

import org.jspecify.annotations.NullMarked;
