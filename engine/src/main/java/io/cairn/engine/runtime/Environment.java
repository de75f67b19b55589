package io.cairn.engine.runtime;

import io.cairn.cache.memory.DeviceMemory;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.coordination.Waits;
import io.cairn.engine.promotion.NodeDirectory;
import io.cairn.engine.promotion.Uptime;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.LateStore;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The parts of a process that come from outside: its time, its waits and threads, its device memory
 * and its stores. Another one than that of the JVM runs the same wiring in virtual time.
 *
 * @param process names the process in claims of epochs
 * @param started when the process began, by the clock
 * @param nanoTime the clock of all waits, as {@link System#nanoTime}
 * @param clock dates seals and accounts
 * @param uptime ages the copies at NODE
 * @param waits how training threads wait
 * @param workers all other threads
 * @param memory DEVICE; closed with the engine
 * @param store STORE; likewise
 * @param home the root of NODE; likewise
 * @param node opens NODE
 */
public record Environment(
    String process,
    Instant started,
    LongSupplier nanoTime,
    InstantSource clock,
    Uptime uptime,
    Waits waits,
    Workers workers,
    DeviceMemory memory,
    CheckpointStore store,
    NodeDirectory home,
    LateStore.Opening node) {

  /** The JVM's, with NODE where the configuration says; starts no thread and opens nothing. */
  static Environment ofJvm(
      CairnConfig config, CheckpointStore store, DeviceMemory memory, LongSupplier nanoTime) {
    NodeDirectory home = new NodeDirectory(config.nodeDirectory(), store);
    InstantSource clock = InstantSource.system();
    return new Environment(
        "process " + ManagementFactory.getRuntimeMXBean().getName(),
        ProcessHandle.current().info().startInstant().orElseGet(clock::instant),
        nanoTime,
        clock,
        Uptime.ofMachine(),
        Waits.REAL,
        new JvmWorkers(nanoTime),
        memory,
        store,
        home,
        () -> Levels.openNode(config.nodeDirectory(), home));
  }
}
