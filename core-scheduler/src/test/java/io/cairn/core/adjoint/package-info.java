/** Tests of the schedules of adjoint workloads. */
@NullMarked
package io.cairn.core.adjoint;

import org.jspecify.annotations.NullMarked;
