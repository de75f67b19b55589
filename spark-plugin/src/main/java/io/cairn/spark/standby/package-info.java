/**
 * Standbys: tasks that wait, with a warm process, and train the rank of an executor that is lost.
 * {@link io.cairn.spark.standby.CairnStandby} runs a stage with them. {@code StandbyBook} decides
 * which task trains which rank, {@code StandbyDesk} answers in the driver, and {@code StandbyTasks}
 * asks in an executor. Whose checkpoints count is decided by the epochs of the ranks' groups alone.
 */
@NullMarked
package io.cairn.spark.standby;

import org.jspecify.annotations.NullMarked;
