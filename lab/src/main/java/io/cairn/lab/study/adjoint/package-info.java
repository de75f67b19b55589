/**
 * The command {@code adjoint}: costs and actions of schedules for adjoint workloads, and bounds for
 * histories of states. The schedules are {@code io.cairn.adjoint.schedule}'s.
 */
@NullMarked
package io.cairn.lab.study.adjoint;

import org.jspecify.annotations.NullMarked;
