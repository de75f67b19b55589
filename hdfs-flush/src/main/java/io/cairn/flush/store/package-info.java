/**
 * The storage that checkpoints are kept in: the SPI with exactly the semantics that the commit
 * protocol needs, and its implementations over local files and over any Hadoop file system. Paths
 * are relative, '/'-separated, and made of {@linkplain io.cairn.core.model.PathSegment path
 * segments} or such with a leading dot. What the files mean lives in {@code io.cairn.flush.format}.
 */
@NullMarked
package io.cairn.flush.store;

import org.jspecify.annotations.NullMarked;
