/**
 * DL4J's parameter averaging on Spark, whose workers go on inside a round. The driver's model is
 * the task of {@link io.cairn.dl4j.TrainingRounds}. This package alone sees Spark, and needs {@code
 * dl4j-spark} and the plugin on the executors.
 */
@NullMarked
package io.cairn.dl4j.averaging;

import org.jspecify.annotations.NullMarked;
