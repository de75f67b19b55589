package io.cairn.engine.sharing;

import io.cairn.core.threads.DaemonThreads;
import io.cairn.engine.coordination.Waits;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The threads, the waits and the clock of one process that shares device memory. A simulation has
 * its own, in virtual time.
 *
 * @param nanoTime the clock, as {@link System#nanoTime}
 * @param waits of training threads for the desk and for lenders, and of those that read from them
 * @param start starts a thread of this name, which runs one task at a time, now or later; whoever
 *     asks for it ends it
 */
public record SharingThreads(
    LongSupplier nanoTime, Waits waits, Function<String, ScheduledExecutorService> start) {
  /** Threads of the JVM, which wait by this clock. */
  public static SharingThreads ofJvm(LongSupplier nanoTime) {
    return new SharingThreads(
        nanoTime,
        Waits.REAL,
        name -> Executors.newSingleThreadScheduledExecutor(DaemonThreads.named(name)));
  }
}
