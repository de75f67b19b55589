/** Tests of {@code io.cairn.cache.capture}. */
@NullMarked
package io.cairn.cache.capture;

import org.jspecify.annotations.NullMarked;
