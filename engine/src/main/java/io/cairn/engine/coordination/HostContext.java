package io.cairn.engine.coordination;

import io.cairn.core.cadence.CadencePolicy;
import io.cairn.flush.store.CheckpointStore;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * What the coordinators of one process share.
 *
 * @param keep checkpoints kept at STORE per group
 * @param who says, in each epoch's file, which process took it
 * @param events runs the handling, which never waits; one at a time
 * @param storing takes epochs and commits, in order
 * @param searching computes, for up to some seconds each
 * @param reports takes what cadences promise and keep
 * @param nanoTime the clock, as {@link System#nanoTime}
 */
public record HostContext(
    CadencePolicy cadence,
    int keep,
    CheckpointStore store,
    String who,
    Executor events,
    Executor storing,
    Executor searching,
    CadenceReports reports,
    LongSupplier nanoTime) {}
