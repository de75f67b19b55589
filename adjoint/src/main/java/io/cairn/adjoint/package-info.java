/**
 * The driver of programs that run forward and then backward: it performs a schedule, keeps states
 * in a history, and goes on after a kill. Schedules belong to {@code io.cairn.adjoint.schedule},
 * states to {@code io.cairn.adjoint.history}.
 */
@NullMarked
package io.cairn.adjoint;

import org.jspecify.annotations.NullMarked;
