/** Tests of {@code io.cairn.core.cadence}. */
@NullMarked
package io.cairn.core.cadence;

import org.jspecify.annotations.NullMarked;
