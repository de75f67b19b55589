/** Tests of {@code io.cairn.flush.restore}. */
@NullMarked
package io.cairn.flush.restore;

import org.jspecify.annotations.NullMarked;
