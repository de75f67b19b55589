/**
 * The model by which a cadence is chosen: the expected time of a checkpoint pattern whose
 * checkpoints are flushed while the application computes. Every class is a pure function of rates
 * (failures per second) and times (seconds).
 *
 * <p>Measurement and the choice of periods live in {@code io.cairn.core.cadence}. Models that only
 * studies use, and the simulator that checks all models, live in the module {@code lab}.
 *
 * <p>Internal: free to change.
 */
@NullMarked
package io.cairn.core.pattern;

import org.jspecify.annotations.NullMarked;
