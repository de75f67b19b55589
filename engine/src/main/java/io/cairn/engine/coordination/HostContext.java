package io.cairn.engine.coordination;

import io.cairn.core.cadence.CadencePolicy;
import io.cairn.engine.config.CairnConfig;
import io.cairn.flush.commit.RetentionPolicy;
import io.cairn.flush.store.CheckpointStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The parts of a process that all its coordinators use.
 *
 * @param retention of checkpoints at STORE, per group
 * @param joinTimeout wait for a missing rank
 * @param storePatience how long a store that fails is tried before joins are refused
 * @param who the process that claims epochs, as their files name it
 * @param events handles events, one at a time; never waits
 * @param storing claims epochs and commits; runs tasks of several groups at once, if it can
 * @param searching searches cadences, for up to some seconds each
 * @param reports receives the predicted and achieved waste
 * @param nanoTime the clock, as {@link System#nanoTime}
 * @param clock dates the seals at STORE; its steps do not show within an epoch
 * @param alarm runs tasks later, which never wait
 */
public record HostContext(
    CadencePolicy cadence,
    RetentionPolicy retention,
    Duration joinTimeout,
    CheckpointStore store,
    Duration storePatience,
    String who,
    Executor events,
    Executor storing,
    Executor searching,
    CadenceReports reports,
    LongSupplier nanoTime,
    InstantSource clock,
    Alarm alarm) {

  /** The threads of coordinators, each the same or another one at each call. */
  public interface Threads {
    /** Handles events of coordinators, one at a time; never waits. */
    Executor events();

    /** Claims epochs and commits, for several groups at once if it can. */
    Executor storing();

    /** Searches cadences, for up to some seconds each. */
    Executor searching();

    /** Runs tasks of coordinators later, which never wait. */
    default Alarm alarm() {
      return Alarm.REAL;
    }
  }

  /** The parts of a process with this configuration, of these threads and in this time. */
  public static HostContext of(
      CairnConfig config,
      CheckpointStore store,
      String who,
      Threads threads,
      CadenceReports reports,
      LongSupplier nanoTime,
      InstantSource clock) {
    return new HostContext(
        config.cadence(),
        config.retention(),
        config.joinTimeout(),
        store,
        config.storePatience(),
        who,
        threads.events(),
        threads.storing(),
        threads.searching(),
        reports,
        nanoTime,
        clock,
        threads.alarm());
  }

  /** Makes hosts of these parts. */
  public HostFactory hosts() {
    return (group, size, outbox) -> new GroupHost(this, group, size, outbox);
  }

  /** The time by the clock now, and later by what has passed since: no step of the clock shows. */
  InstantSource steadyClock() {
    Instant began = clock.instant();
    long beganNanos = nanoTime.getAsLong();
    return () -> began.plusNanos(nanoTime.getAsLong() - beganNanos);
  }

  /** Runs a task after a time. */
  @FunctionalInterface
  public interface Alarm {
    /** In real time, on a thread of the JVM. */
    Alarm REAL =
        (nanos, task) ->
            CompletableFuture.delayedExecutor(nanos, TimeUnit.NANOSECONDS, Runnable::run)
                .execute(task);

    /** Returns at once. */
    void after(long nanos, Runnable task);
  }
}
