/**
 * The executors' part: opens Cairn for the tasks and carries their ranks' messages to the driver.
 * What a rank does with a checkpoint lives in {@code io.cairn.engine}.
 */
@NullMarked
package io.cairn.spark.executor;

import org.jspecify.annotations.NullMarked;
