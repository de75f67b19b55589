/**
 * The port that applications call: a {@link io.cairn.core.session.Checkpointer} per rank, the
 * {@link io.cairn.core.session.Region}s that it protects, the tickets that say what became of a
 * checkpoint and the report that says what a restore did. Only contracts and values: what carries
 * them out lives in {@code io.cairn.engine}.
 */
@NullMarked
package io.cairn.core.session;

import org.jspecify.annotations.NullMarked;
