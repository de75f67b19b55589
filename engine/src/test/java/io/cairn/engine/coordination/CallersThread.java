package io.cairn.engine.coordination;

import io.cairn.core.cadence.CadencePlan;
import io.cairn.core.cadence.CadencePolicy;
import io.cairn.flush.commit.RetentionPolicy;
import io.cairn.flush.store.CheckpointStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/** Hosts that do everything on the thread of their caller. */
final class CallersThread {
  private CallersThread() {}

  static HostFactory hosts(CheckpointStore store, LongSupplier nanoTime) {
    return hosts(store, nanoTime, Runnable::run);
  }

  /** Like the other, but for the I/O of the store. */
  static HostFactory hosts(CheckpointStore store, LongSupplier nanoTime, Executor storing) {
    return context(store, nanoTime, storing).hosts();
  }

  /** The parts of those hosts. */
  static HostContext context(CheckpointStore store, LongSupplier nanoTime, Executor storing) {
    return context(store, nanoTime, storing, (nanos, task) -> {});
  }

  /** Like the other, with this alarm. */
  static HostContext context(
      CheckpointStore store, LongSupplier nanoTime, Executor storing, HostContext.Alarm alarm) {
    return new HostContext(
        CadencePolicy.fixed(CadencePlan.every(1, 10, 50), Map.of()),
        RetentionPolicy.newest(2),
        Duration.ofMinutes(1),
        store,
        Duration.ZERO,
        "test",
        Runnable::run,
        storing,
        Runnable::run,
        new CadenceReports(),
        nanoTime,
        InstantSource.system(),
        alarm);
  }
}
