package io.cairn.lab.study.cluster;

import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.engine.promotion.NodeDirectory;
import io.cairn.testkit.CrashingStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.slf4j.MDC;

/** Runs many seeds, several at a time. */
public final class ClusterSweep {
  private static final int DEVICE_BYTES = 1 << 20;

  /**
   * The outcome of all seeds.
   *
   * @param violations how many seeds violate an invariant
   * @param violated these seeds
   * @param faults how often each fault came
   */
  public record Report(
      int seeds,
      int violations,
      List<Long> violated,
      Map<String, Integer> faults,
      double seconds) {}

  /** One seed. */
  @FunctionalInterface
  interface Seeded {
    /**
     * Runs it.
     *
     * @param device with room for the caches of all processes
     * @param home a directory that exists; nothing is written there
     * @param pool a thread for each that asks
     */
    ClusterSimulation.Result run(long seed, DeviceMemory device, NodeDirectory home, Executor pool);
  }

  private ClusterSweep() {}

  /**
   * Runs seeds from {@code first} on.
   *
   * @param each receives every result, on any thread
   * @throws IOException if there is no memory for the devices
   */
  public static Report run(
      long first, int seeds, int threads, Consumer<ClusterSimulation.Result> each)
      throws IOException, InterruptedException {
    return run(first, seeds, threads, ClusterSimulation::run, each);
  }

  /**
   * Likewise, of another simulation.
   *
   * @throws IOException if there is no memory for the devices
   */
  static Report run(
      long first,
      int seeds,
      int threads,
      Seeded simulation,
      Consumer<ClusterSimulation.Result> each)
      throws IOException, InterruptedException {
    long begin = System.nanoTime();
    Path directory = Files.createTempDirectory("cairn-cluster");
    ExecutorService pool = Executors.newCachedThreadPool(ClusterSweep::quietThread);
    AtomicLong next = new AtomicLong(first);
    Map<String, Integer> faults = new TreeMap<>();
    List<Long> violated = new ArrayList<>();
    // the writer of NODE looks whether its directory was swept away
    NodeDirectory home = NodeDirectory.simulated(directory, new CrashingStore(first));
    Files.createDirectory(home.path());
    try {
      List<Future<Void>> workers = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        workers.add(
            pool.submit(
                () -> {
                  try (DeviceMemory device =
                      SharedMemoryDevice.open(directory, directory, DEVICE_BYTES)) {
                    for (long seed = next.getAndIncrement();
                        seed < first + seeds;
                        seed = next.getAndIncrement()) {
                      ClusterSimulation.Result result = simulation.run(seed, device, home, pool);
                      synchronized (faults) {
                        result.faults().forEach((f, n) -> faults.merge(f, n, Integer::sum));
                        if (!result.violation().isEmpty()) {
                          violated.add(seed);
                        }
                      }
                      each.accept(result);
                    }
                  }
                  return null;
                }));
      }
      for (Future<Void> worker : workers) {
        worker.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("a simulation ended unexpectedly", e.getCause());
    } finally {
      pool.shutdownNow();
      try (Stream<Path> left = Files.list(directory)) {
        for (Path file : left.toList()) {
          Files.delete(file);
        }
      }
      Files.delete(directory);
    }
    return new Report(seeds, violated.size(), violated, faults, (System.nanoTime() - begin) / 1e9);
  }

  /** The log of bin/cairn leaves out what such a thread logs. */
  static Thread quietThread(Runnable task) {
    Thread thread =
        new Thread(
            () -> {
              MDC.put("cairn.simulated", "true");
              task.run();
            },
            "cairn-simulated");
    thread.setDaemon(true);
    return thread;
  }
}
