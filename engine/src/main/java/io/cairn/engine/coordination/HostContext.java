package io.cairn.engine.coordination;

import io.cairn.core.cadence.CadencePolicy;
import io.cairn.flush.store.CheckpointStore;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * The parts of a process that all its coordinators use.
 *
 * @param keep checkpoints kept at STORE per group
 * @param joinTimeout wait for a missing rank
 * @param who the process that claims epochs, as their files name it
 * @param events handles events, one at a time; never waits
 * @param storing claims epochs and commits, in order
 * @param searching searches cadences, for up to some seconds each
 * @param reports receives the predicted and achieved waste
 * @param nanoTime the clock, as {@link System#nanoTime}
 */
public record HostContext(
    CadencePolicy cadence,
    int keep,
    Duration joinTimeout,
    CheckpointStore store,
    String who,
    Executor events,
    Executor storing,
    Executor searching,
    CadenceReports reports,
    LongSupplier nanoTime) {}
