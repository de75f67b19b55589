/**
 * The model by which a job's cadence is chosen: the expected time of a checkpoint pattern whose
 * checkpoints are flushed while the application runs on, and the search for the best pattern.
 * Everything is a pure function of rates and costs. Rates are failures per second, times are
 * seconds, an overhead is extra run time per second of work, a waste is the part of the run time
 * that is not work.
 *
 * <p>Measuring a running job and following the decision belong to {@code io.cairn.core.cadence}.
 * Models that only studies use, and the simulator that checks all of them, are in the module {@code
 * lab}.
 */
@NullMarked
package io.cairn.core.pattern;

import org.jspecify.annotations.NullMarked;
