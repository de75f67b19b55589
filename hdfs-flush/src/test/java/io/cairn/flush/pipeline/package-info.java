/** Tests of {@code io.cairn.flush.pipeline}. */
@NullMarked
package io.cairn.flush.pipeline;

import org.jspecify.annotations.NullMarked;
