/**
 * Standbys: tasks that wait, with a warm process, and train the rank of an executor that is lost.
 * {@link io.cairn.spark.standby.CairnStandby} runs a stage with them.
 */
@NullMarked
package io.cairn.spark.standby;

import org.jspecify.annotations.NullMarked;
