package io.cairn;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Checkpointing in one process: a device cache, the levels below it, and the threads that bring
 * checkpoints there. Any number of ranks join it. Thread-safe, except {@link #close()}, which must
 * be the last call.
 *
 * <pre>{@code
 * try (Cairn cairn = Cairn.open(Map.of("job", "relaxation", "store", "/data/cairn"));
 *     Checkpointer checkpointer = cairn.join("run-1")) {
 *   checkpointer.protect(Region.of("weights", weights));
 *   long from = checkpointer.restore().map(r -> r.id().iteration() + 1).orElse(0L);
 *   for (long i = from; i < 10_000; i++) {
 *     step(weights);
 *     checkpointer.checkpoint(i).captured().join();
 *   }
 *   checkpointer.end(9_999);
 * }
 * }</pre>
 *
 * <p>The engine is found as a service: {@code cairn-engine}, or a jar that has it.
 */
public interface Cairn extends AutoCloseable {
  /**
   * Opens checkpointing with the device and the store that the settings name. If the process ends
   * before {@link #close()}, by SIGTERM for instance, it rescues the newest checkpoints first. A
   * store that is out of reach is tried for the time of the setting {@code store.patience}.
   *
   * @param settings by their names, such as {@code store}; the others have their defaults
   * @throws IllegalArgumentException naming the setting that is unknown, or whose value is not
   *     legal
   * @throws IllegalStateException if no engine is on the class path; the message names the artifact
   * @throws IOException if the store lacks the needed semantics, or a directory cannot be used; the
   *     message names it
   */
  static Cairn open(Map<String, String> settings) throws IOException {
    return Providers.get().open(settings);
  }

  /**
   * The instance of this process: the one that was installed last. If there is none, opens one: in
   * the driver of a Spark application with the application's settings, in a process without Spark
   * with the defaults. The Spark plugin installs one per executor.
   *
   * @throws IllegalStateException if it cannot be opened, or if this is a process of a Spark
   *     application without the plugin; the message names the setting. Also if no engine is on the
   *     class path
   */
  static Cairn current() {
    return Providers.get().current();
  }

  /**
   * Makes this the instance of the process, which {@link #current()} returns, until it is closed.
   */
  void install();

  /** Joins an independent rank, a group of one. */
  default Checkpointer join(String group) {
    return join(group, 0, 1);
  }

  /**
   * Joins a rank to its group, waiting until every rank of the group has joined. Meanwhile the
   * coordinator's process logs the missing ranks every 10 s. On Spark, run the ranks as a barrier
   * stage with a shuffle after it: Spark does not run a job's last stage again if it is a barrier.
   *
   * @throws IllegalArgumentException if group, rank or size are not legal
   * @throws RestoreException if the coordinator rejects the rank, or a rank is missing for longer
   *     than the setting {@code joinTimeout}; the message names it
   */
  Checkpointer join(String group, int rank, int size);

  /**
   * The checkpoints of an independent rank at STORE, read without joining its group: a training
   * that runs meanwhile is not disturbed.
   */
  StoredCheckpoints stored(String group);

  /**
   * Passes every later event of this process to an observer, on the thread where it happens: the
   * training thread, or a thread of Cairn. What the observer throws is logged, and does not reach
   * checkpointing.
   *
   * @param observer thread-safe, and returns soon
   */
  void addObserver(Consumer<? super CairnEvent> observer);

  /** Removes an observer; a call that is under way may still reach it. */
  void removeObserver(Consumer<? super CairnEvent> observer);

  /**
   * The newest cadence of a group, which adapts while it trains; empty if another process decides
   * it, it is fixed, or nothing was decided yet.
   */
  Optional<Cadence> cadence(String group);

  /** All counters by name, such as {@code store.sealed} or {@code blocked.nanos}. */
  Map<String, Long> counts();

  /**
   * Rescues the newest checkpoints, since this process is about to end: every group with a rank in
   * it sends its newest one to all levels. Waits until all of them are on their way, for at most
   * {@code patience}; {@link #close()} then waits until they arrive. May be called again.
   *
   * @return whether every group answered
   */
  boolean rescue(Duration patience);

  /**
   * Ends checkpointing. Waits as long as configured for checkpoints on their way, at all levels
   * together. Checkpoints at DEVICE are lost; those at NODE and STORE stay. Idempotent: a further
   * call waits until the first one has ended, unless it comes from within that one. A thread whose
   * interrupt status is set waits for nothing.
   */
  @Override
  void close();
}
