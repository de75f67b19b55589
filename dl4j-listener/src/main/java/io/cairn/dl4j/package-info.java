/**
 * Checkpoints of DL4J trainings, and their exact resumption: {@link io.cairn.dl4j.CairnTraining}
 * drives a whole training and puts model, counters, random generator and data iterator back where
 * they were; {@link io.cairn.dl4j.CairnListener} is for programs that drive the loop themselves.
 *
 * <p>Here lives what knows DL4J: which memory is a model's state, when it may be copied and what
 * must be set again after a restore. How checkpoints are kept does not; it is behind {@link
 * io.cairn.core.session.Checkpointer}. Nothing of Spark or Hadoop either.
 *
 * <p>A resumed training repeats the undisturbed one bit for bit on CPUs at an equal number of
 * OpenMP threads only (the order of floating-point sums depends on it); a restore under another
 * number warns.
 */
@NullMarked
package io.cairn.dl4j;

import org.jspecify.annotations.NullMarked;
