/**
 * The values that all modules share: names, levels, checkpoints, ancestry and manifests. All are
 * immutable and checked at construction; none does I/O. Their encoding lives in {@code
 * io.cairn.flush} and {@code io.cairn.core.wire}, decisions in {@code io.cairn.core.protocol}.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.core.model;

import org.jspecify.annotations.NullMarked;
