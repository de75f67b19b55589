/**
 * Tests of the schedulers: independent optima, proofs checked plan by plan, and a second solver.
 */
@NullMarked
package io.cairn.core.flow;

import org.jspecify.annotations.NullMarked;
