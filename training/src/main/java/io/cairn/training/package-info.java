/**
 * Services for any training that is checkpointed. A {@link io.cairn.training.TroubleGuard} rolls it
 * back when its loss is in trouble. A {@link io.cairn.training.Certifier} verifies its checkpoints
 * by replay, in a process of its own.
 *
 * <p>This package knows no framework. The adapter of one implements {@link
 * io.cairn.training.Trainer} for the guard's {@link io.cairn.training.Watch}, and {@link
 * io.cairn.training.ReplayedProgram} for replays. Programs of DL4J call {@code CairnTraining},
 * which has both.
 */
@NullMarked
package io.cairn.training;

import org.jspecify.annotations.NullMarked;
