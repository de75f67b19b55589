package io.cairn.engine.config;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.text.similarity.LevenshteinDistance;

/**
 * A setting as users know it. Under Spark its name has the prefix {@code spark.cairn.}.
 *
 * @param name without a prefix
 * @param defaultValue as a user would write it; empty where the default depends on the machine
 * @param meaning one sentence for the table of settings
 */
public record Setting(String name, String defaultValue, String meaning) {
  /** The job's name. */
  public static final Setting JOB =
      new Setting("job", "cairn", "The job's name; it outlives applications. One path segment.");

  /** Where STORE is. */
  public static final Setting STORE =
      new Setting(
          "store",
          "",
          "STORE: any Hadoop file system, or a local directory. Default: `cairn` in the user's home"
              + " on Hadoop's default file system, else `~/.cairn/store`.");

  /** Where NODE is. */
  public static final Setting NODE_DIR =
      new Setting(
          "node.dir",
          "",
          "NODE: a directory that outlives executors. Default: a directory per user in shared"
              + " memory.");

  /** Where DEVICE is. */
  public static final Setting DEVICE_DIR =
      new Setting(
          "device.dir",
          "",
          "Arenas of shared-memory devices. Default: a directory per user in shared memory.");

  /** How much a process may cache. */
  public static final Setting DEVICE_CACHE =
      new Setting(
          "device.cacheSize", "256m", "Device memory per process for checkpoints at DEVICE.");

  /** The unit of copying. */
  public static final Setting CHUNK_SIZE =
      new Setting("chunkSize", "4m", "Unit of capture, checksum and transfer; at most 64m.");

  /** How periods are decided. */
  public static final Setting CADENCE =
      new Setting(
          "cadence",
          "",
          "`adaptive`: periods follow what is measured, so that the least time is wasted. `fixed`:"
              + " they stay. Default: `fixed` where one of the three periods is set, else"
              + " `adaptive`.");

  /** Cadence at DEVICE. */
  public static final Setting DEVICE_EVERY =
      new Setting(
          "device.every", "1", "Capture every n-th iteration; an adaptive cadence begins so.");

  /** Cadence at NODE. */
  public static final Setting NODE_EVERY =
      new Setting("node.every", "10", "Seal every n-th iteration at NODE.");

  /** Cadence at STORE. */
  public static final Setting STORE_EVERY =
      new Setting("store.every", "50", "Seal every n-th iteration at STORE.");

  /** What checkpoints may cost. */
  public static final Setting STALL_BUDGET =
      new Setting(
          "stallBudget",
          "1%",
          "The part of the run time that an adaptive cadence may stop the training for.");

  /** How often DEVICE is needed. */
  public static final Setting MTBF_DEVICE =
      new Setting(
          "mtbf.device",
          "32h",
          "Mean time between errors that leave the processes alive; the start of an estimate, as"
              + " are the next three.");

  /** How often NODE is needed. */
  public static final Setting MTBF_NODE =
      new Setting("mtbf.node", "32h", "Mean time between deaths of processes.");

  /** How often PEER is needed, or what is above it. */
  public static final Setting MTBF_PEER =
      new Setting("mtbf.peer", "28h", "Mean time between losses of nodes.");

  /** How often STORE is needed. */
  public static final Setting MTBF_STORE =
      new Setting("mtbf.store", "65d", "Mean time between losses of all nodes at once.");

  /** Spare device memory. */
  public static final Setting SHARING =
      new Setting(
          "sharing",
          "on",
          "`on`: executors keep what does not fit their own cache in the spare device memory of"
              + " others. `off`: they do not.");

  /** The rest. */
  public static final Setting HOST_CACHE =
      new Setting(
          "host.cacheSize",
          "0",
          "Host memory per process for what fits neither its own device nor a peer's.");

  /** What links devices. */
  public static final Setting TOPOLOGY =
      new Setting(
          "topology",
          "",
          "What links the devices of each machine: a preset such as `dgx1-v100`. Default: what"
              + " `nvidia-smi topo -m` says there, else memory that all reach alike.");

  /** How long groups of one wait for each other. */
  public static final Setting SHARING_WINDOW =
      new Setting(
          "sharing.window", "5ms", "How long independent ranks are collected for one plan.");

  /** How long a checkpoint waits. */
  public static final Setting SHARING_PATIENCE =
      new Setting(
          "sharing.patience",
          "1s",
          "How long a checkpoint waits for its plan, and for those who lend, before what is left"
              + " goes to host memory.");

  /** When a silent peer is dead. */
  public static final Setting SHARING_SILENCE =
      new Setting(
          "sharing.silence",
          "10s",
          "A peer on another machine that says nothing for so long is dead: what lay there is lost,"
              + " and nothing more is taken from it.");

  /** Retention. */
  public static final Setting KEEP =
      new Setting("keep", "2", "Checkpoints kept per group and level; older ones are deleted.");

  /** Back-pressure of both stages. */
  public static final Setting QUEUE_SIZE =
      new Setting(
          "queueSize", "1g", "Bytes that may wait for NODE, and for STORE, before any is skipped.");

  /** Patience at the end. */
  public static final Setting CLOSE_TIMEOUT =
      new Setting(
          "closeTimeout", "60s", "How long closing a rank waits for what is on its way down.");

  /** All of them, in the order of the table. */
  public static final List<Setting> ALL =
      List.of(
          JOB,
          STORE,
          NODE_DIR,
          DEVICE_DIR,
          DEVICE_CACHE,
          CHUNK_SIZE,
          CADENCE,
          DEVICE_EVERY,
          NODE_EVERY,
          STORE_EVERY,
          STALL_BUDGET,
          MTBF_DEVICE,
          MTBF_NODE,
          MTBF_PEER,
          MTBF_STORE,
          SHARING,
          HOST_CACHE,
          TOPOLOGY,
          SHARING_WINDOW,
          SHARING_PATIENCE,
          SHARING_SILENCE,
          KEEP,
          QUEUE_SIZE,
          CLOSE_TIMEOUT);

  /** The value in {@code values}, or the default. */
  String in(Map<String, String> values) {
    return values.getOrDefault(name, defaultValue).strip();
  }

  /**
   * Refuses names that no setting has.
   *
   * @param prefix what stands before the names where the user wrote them, for the message
   * @throws IllegalArgumentException naming the setting and the nearest known one
   */
  public static void requireKnown(Map<String, String> values, String prefix) {
    for (String key : values.keySet()) {
      if (ALL.stream().noneMatch(setting -> setting.name().equals(key))) {
        throw new IllegalArgumentException(
            "unknown setting "
                + prefix
                + key
                + nearest(key).map(n -> ": did you mean " + prefix + n + "?").orElse(""));
      }
    }
  }

  private static Optional<String> nearest(String key) {
    LevenshteinDistance distance = LevenshteinDistance.getDefaultInstance();
    return ALL.stream().map(Setting::name).min(Comparator.comparing(n -> distance.apply(n, key)));
  }
}
