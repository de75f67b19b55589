/**
 * The driver of programs that run forward and then backward: it performs a schedule, keeps states
 * in a history, and goes on after a kill. Schedules belong to {@code io.cairn.core.adjoint}, states
 * to {@code io.cairn.cache.history}.
 */
@NullMarked
package io.cairn.engine.adjoint;

import org.jspecify.annotations.NullMarked;
