/**
 * The executors' part: opens Cairn for the tasks and carries their ranks' messages to the driver.
 * The checkpoints of a rank live in {@code io.cairn.engine}.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.spark.executor;

import org.jspecify.annotations.NullMarked;
