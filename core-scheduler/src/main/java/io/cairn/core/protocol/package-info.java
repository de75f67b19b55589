/**
 * Decisions, as state machines without I/O, threads or clock: each takes an event and returns the
 * actions to carry out. The same classes run in the engine, in the Spark driver and in a simulation
 * on one thread over a crashing store.
 *
 * <p>Four rules hold everywhere. Readers decide, not renames. Unknown is not failed. The expiry of
 * a lease ends a promise, not a mapping. Nothing is captured again under an old id.
 *
 * <p>The actions are carried out elsewhere: files in {@code io.cairn.flush.commit}, threads and
 * messages in {@code io.cairn.engine}. Encoding lives in {@code io.cairn.core.wire}, leases in
 * {@code io.cairn.core.sharing}.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.core.protocol;

import org.jspecify.annotations.NullMarked;
