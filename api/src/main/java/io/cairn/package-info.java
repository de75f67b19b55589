/**
 * Checkpointing of trainings, as programs call it: a {@link io.cairn.Checkpointer} per rank, the
 * {@link io.cairn.Region}s that it protects, the tickets with the outcomes of a checkpoint, and the
 * report of a restore. Only contracts and values, which see the JDK alone. Every other package but
 * {@code io.cairn.adjoint}, {@code io.cairn.dl4j} and {@code io.cairn.spark} is internal.
 */
@NullMarked
package io.cairn;

import org.jspecify.annotations.NullMarked;
