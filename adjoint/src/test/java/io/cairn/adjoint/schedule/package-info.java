/** Tests of the schedules of adjoint workloads. */
@NullMarked
package io.cairn.adjoint.schedule;

import org.jspecify.annotations.NullMarked;
