/**
 * Which task trains which rank, and where. {@code StandbyBook} decides about standbys, {@code
 * StandbyDesk} answers in the driver, and {@code StandbyTasks} asks in an executor. {@code
 * HostNotes} reads where the copies at NODE are. Whose checkpoints count is decided by the epochs
 * of the ranks' groups alone.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.spark.ranks;

import org.jspecify.annotations.NullMarked;
