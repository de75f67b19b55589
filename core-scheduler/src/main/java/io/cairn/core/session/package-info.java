/**
 * The port that applications call: a {@link io.cairn.core.session.Checkpointer} per rank, the
 * {@link io.cairn.core.session.Region}s that it protects, the tickets with the outcomes of a
 * checkpoint, and the report of a restore. Only contracts and values; the implementation lives in
 * {@code io.cairn.engine}.
 */
@NullMarked
package io.cairn.core.session;

import org.jspecify.annotations.NullMarked;
