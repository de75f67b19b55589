/**
 * The executors' part: opens Cairn for the tasks and carries their ranks' messages to the driver.
 */
@NullMarked
package io.cairn.spark.executor;

import org.jspecify.annotations.NullMarked;
