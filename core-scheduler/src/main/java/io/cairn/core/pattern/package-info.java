/**
 * How often to which level, on paper: the best checkpoint pattern of a platform by the first-order
 * formulas and by the exact expected time, the models of a checkpoint that is flushed while the
 * application runs on, and the waste of a periodic checkpoint. Everything is a pure function of
 * rates and costs; rates are failures per second, times are seconds, an overhead is extra run time
 * per second of work, a waste the part of the run time that is not work.
 *
 * <p>What is measured in a running job, and the decision that follows, live in {@code
 * io.cairn.core.cadence}; the simulator that checks these models lives in {@code
 * io.cairn.core.failure} and shares nothing with them.
 */
@NullMarked
package io.cairn.core.pattern;

import org.jspecify.annotations.NullMarked;
