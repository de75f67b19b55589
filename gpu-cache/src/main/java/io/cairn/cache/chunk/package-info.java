/**
 * The cache of checkpoints in device memory. Its slots are equal and hold one chunk each. They are
 * reserved for a checkpoint, pinned while a copy uses them, and evicted when a newer checkpoint
 * needs room. Chunks that do not fit lie in slots of peers or in host memory. Slots can be lent to
 * peers. The meaning of the bytes belongs to {@code io.cairn.cache.capture}. The engine chooses the
 * pinned checkpoints, and the lease book ends leases.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.cache.chunk;

import org.jspecify.annotations.NullMarked;
