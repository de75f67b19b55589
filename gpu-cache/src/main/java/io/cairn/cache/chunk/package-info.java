/**
 * The cache of checkpoints in device memory: equal slots, one chunk in each, that are reserved for
 * a checkpoint, pinned while they are copied from or to, and evicted when room is needed; places
 * elsewhere for chunks that do not fit, lent by peers or in host memory; and slots lent to peers,
 * with the chunks that they put there. What the bytes mean is {@code io.cairn.cache.capture}'s;
 * which checkpoints must be pinned, the engine's; until when a slot is lent, the lease book's.
 */
@NullMarked
package io.cairn.cache.chunk;

import org.jspecify.annotations.NullMarked;
