/**
 * Checkpoints and exact resume of DL4J trainings. {@link io.cairn.dl4j.CairnTraining} drives a
 * whole training, and restores model, counters, random generator and the iterator's position. A
 * model is a {@code MultiLayerNetwork} or a {@code ComputationGraph}. {@link
 * io.cairn.dl4j.CairnListener} serves programs that drive the loop themselves. {@link
 * io.cairn.dl4j.TrainingRounds} serves loops of DL4J that train copies of the model, and {@link
 * io.cairn.dl4j.WorkerProgress} one such copy. {@link io.cairn.dl4j.SavedTraining} is a network
 * apart from the program that trains it. {@link io.cairn.dl4j.CairnEarlyStopping} is DL4J's early
 * stopping, resumed exactly.
 *
 * <p>A {@link io.cairn.training.TroubleGuard} rolls a training back when its loss is in trouble. A
 * {@link io.cairn.training.Certifier} verifies checkpoints by replay, in a process of its own.
 *
 * <p>This package knows DL4J: the memory of a model's state, the moments at which it may be copied,
 * and the counters that a restore sets. Checkpoints are kept behind {@link io.cairn.Checkpointer}.
 * The package uses neither Spark nor Hadoop.
 *
 * <p>On CPUs a resumed training equals the undisturbed one bit for bit, given the same number of
 * OpenMP threads. The order of floating-point sums depends on that number. A restore under another
 * number logs a warning.
 */
@NullMarked
package io.cairn.dl4j;

import org.jspecify.annotations.NullMarked;
