/**
 * Storage for checkpoints: the SPI with exactly the semantics that the commit protocol needs, with
 * implementations over local files and any Hadoop file system. Paths are relative, separated by
 * '/', and consist of {@linkplain io.cairn.internal.PathSegment path segments}, which may have a
 * leading dot. The meaning of the files belongs to {@code io.cairn.flush.format}.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.flush.store;

import org.jspecify.annotations.NullMarked;
