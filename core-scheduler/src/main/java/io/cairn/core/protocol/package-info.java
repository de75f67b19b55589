/**
 * Everything that decides, as state machines without I/O, threads or clock: an event comes in, the
 * next state and a list of actions go out. The same classes run in the engine, in the Spark driver
 * and in a one-thread simulation over a crashing store; nothing else decides.
 *
 * <p>Four rules hold everywhere. Readers decide, not renames. Unknown is not failed. A lease's
 * expiry ends a promise, not a mapping. Nothing is captured again under an old id.
 *
 * <p>What carries the actions out lives in {@code io.cairn.flush.commit} (files) and {@code
 * io.cairn.engine} (threads and messages).
 */
@NullMarked
package io.cairn.core.protocol;

import org.jspecify.annotations.NullMarked;
