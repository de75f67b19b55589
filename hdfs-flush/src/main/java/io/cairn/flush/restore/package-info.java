/**
 * Finds a checkpoint to restore, and verifies it before any of the application's memory is written.
 * The planner finds the checkpoints that count, their copies, and the nearest good copy of each
 * chunk. Copies come from sources such as stores and device caches.
 *
 * <p>The engine writes the application's memory and carries the agreement among ranks. {@link
 * io.cairn.core.protocol.Lineage} decides which checkpoints count.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.flush.restore;

import org.jspecify.annotations.NullMarked;
