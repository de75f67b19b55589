/**
 * {@code cairn-lab bench adjoint}: a program that stores states forward and reads them backward,
 * with a history, with everything in memory, with a file per step, and with steps that run again.
 */
@NullMarked
package io.cairn.lab.bench.adjoint;

import org.jspecify.annotations.NullMarked;
