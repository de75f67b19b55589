/**
 * Schedules of adjoint workloads: which states to keep while a program runs forward, and which
 * steps to run again while it runs backward. Every class is pure. The program, its memory and its
 * checkpoints belong to others.
 *
 * <p>Step i leads from state x_i to x_{i+1}. A schedule counts forward steps outside reversals. A
 * snapshot of x_0 takes a slot like any other.
 */
@NullMarked
package io.cairn.adjoint.schedule;

import org.jspecify.annotations.NullMarked;
