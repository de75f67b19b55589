package io.cairn.engine.config;

import io.cairn.core.cadence.CadencePolicy;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.sharing.DeskMessage;
import io.cairn.flush.commit.RetentionPolicy;
import io.cairn.flush.store.CheckpointStores;
import io.cairn.flush.store.StoreBlocks;
import io.cairn.internal.PathSegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The configuration of one process. Immutable; {@link Setting} explains each value.
 *
 * @param label describes what is trained; empty if the user gave none
 * @param accepted entries in which the program may differ from a checkpoint's
 * @param storeBlocks of the files at STORE, if it is a Hadoop file system
 * @param storeWriters containers of one rank's checkpoint at STORE
 * @param staging which nodes write to STORE for others
 * @param nodeExpiry how long copies at NODE stay that nothing touches
 * @param nodeServe whether executors read copies at other nodes, and serve their own
 * @param nodePatience how long a restore waits for a node that has a newer copy
 * @param device the kind of memory at DEVICE
 * @param cacheBytes device memory for checkpoints; empty if the protected regions give it
 * @param chunkBytes unit of copying
 * @param codecs how chunks are compressed
 * @param layers how many older checkpoints one leans on
 * @param captureWait how long a capture waits for room
 * @param watchdog after which time work is reported that has not ended; none is with zero
 * @param retention of checkpoints at STORE, per group; NODE and PEER keep the newest ones alone
 * @param certifyEvery iterations of which one checkpoint at STORE is certified; 0 for none
 * @param queueBytes bytes that may wait per stage
 * @param storePatience how long joins and restores try a store that fails
 * @param storeAtStart whether a Spark application opens Cairn at its start, and not at a join
 * @param olderIfUnreadable whether a restore passes over a manifest at STORE that stays unreadable
 * @param joinTimeout wait for a missing rank
 * @param driverPort first port that a driver tries to serve executors at; 0 for any free one
 * @param standbys tasks that wait to take the rank of a lost executor over, per stage of ranks
 * @param peer how copies on other machines are kept
 * @param coordinator where processes without Spark meet; empty if they do not
 */
public record CairnConfig(
    String job,
    String label,
    ResumePolicy resume,
    Set<String> accepted,
    String store,
    StoreBlocks storeBlocks,
    int storeThreads,
    WriterSettings storeWriters,
    StagingSettings staging,
    Path nodeDirectory,
    Duration nodeExpiry,
    boolean nodeServe,
    Duration nodePatience,
    DeviceSettings device,
    Path deviceDirectory,
    OptionalLong cacheBytes,
    int chunkBytes,
    CodecSettings codecs,
    LayerSettings layers,
    Duration captureWait,
    Duration watchdog,
    CadencePolicy cadence,
    RetentionPolicy retention,
    long certifyEvery,
    long queueBytes,
    Duration storePatience,
    boolean storeAtStart,
    boolean olderIfUnreadable,
    Duration joinTimeout,
    Duration closeTimeout,
    int driverPort,
    int standbys,
    SharingSettings sharing,
    PeerSettings peer,
    Optional<CoordinatorSettings> coordinator) {
  private static final int MAX_CHUNK_BYTES = 64 << 20;
  private static final int MAX_THREADS = 64;
  private static final int MAX_CHUNKS = DeskMessage.MOST_CHUNKS;
  private static final int MAX_STANDBYS = 1000;

  /** Memory of the machine by the most that a cache takes of it unasked. */
  private static final int CACHE_DIVISOR = 4;

  /** Checks the ranges. */
  public CairnConfig {
    PathSegment.require("job", job);
    accepted = Set.copyOf(accepted);
    if (!label.isEmpty()) {
      Fingerprint.NONE.with(Setting.LABEL.name(), label);
    }
    if (chunkBytes < 4096 || chunkBytes > MAX_CHUNK_BYTES) {
      throw new IllegalArgumentException("chunkSize is " + chunkBytes + " bytes: choose 4k to 64m");
    }
    cacheBytes.ifPresent(bytes -> requireChunks(bytes, chunkBytes));
    if (chunkBytes % Long.BYTES != 0) {
      throw new IllegalArgumentException(
          "chunkSize is " + chunkBytes + " bytes: choose a multiple of " + Long.BYTES);
    }
    if (storeThreads < 1 || storeThreads > MAX_THREADS) {
      throw new IllegalArgumentException(
          "store.threads is " + storeThreads + ": choose 1 to " + MAX_THREADS);
    }
    if (certifyEvery < 0) {
      throw new IllegalArgumentException(
          "certify.every is " + certifyEvery + ": choose 0 for none, or a number of iterations");
    }
    if (standbys < 0 || standbys > MAX_STANDBYS) {
      throw new IllegalArgumentException(
          "standby is " + standbys + ": choose 0 for none, or " + MAX_STANDBYS + " at most");
    }
    if (queueBytes < 1) {
      throw new IllegalArgumentException("queueSize is " + queueBytes + " bytes: choose 1 or more");
    }
    if (nodeExpiry.isZero()) {
      throw new IllegalArgumentException("node.expiry is 0: choose a time above 0, such as 7d");
    }
    if (joinTimeout.isZero()) {
      throw new IllegalArgumentException("joinTimeout is 0: choose a time above 0, such as 30m");
    }
  }

  private static void requireChunks(long cacheBytes, int chunkBytes) {
    if (cacheBytes < chunkBytes) {
      throw new IllegalArgumentException(
          "device.cacheSize (" + cacheBytes + " bytes) holds no chunk of " + chunkBytes + " bytes");
    }
    if (cacheBytes / chunkBytes > MAX_CHUNKS) {
      throw new IllegalArgumentException(
          "device.cacheSize ("
              + cacheBytes
              + " bytes) is more than "
              + MAX_CHUNKS
              + " chunks: choose a larger chunkSize");
    }
  }

  /** The defaults, for use without Spark. */
  public static CairnConfig defaults() {
    return of(Map.of());
  }

  /**
   * Reads settings by name, without a prefix.
   *
   * @throws IllegalArgumentException naming the setting that is unknown or whose value is not legal
   */
  public static CairnConfig of(Map<String, String> values) {
    KnownSettings.require(values, "");
    SettingValues given = new SettingValues(values);
    String store = given.text(Setting.STORE);
    PeerSettings peer = PeerSettings.of(given);
    return new CairnConfig(
        given.text(Setting.JOB),
        given.text(Setting.LABEL),
        given.resume(),
        given.names(Setting.ACCEPT),
        store.isEmpty() ? OwnDirectories.defaultStore().toString() : place(store),
        given.blocks(),
        clamped(given.number(Setting.STORE_THREADS)),
        WriterSettings.of(given),
        StagingSettings.of(given),
        given.directory(Setting.NODE_DIR, "node"),
        given.duration(Setting.NODE_EXPIRY),
        given.isOn(Setting.NODE_SERVE),
        given.duration(Setting.NODE_PATIENCE),
        DeviceSettings.of(given),
        given.directory(Setting.DEVICE_DIR, "device"),
        given.has(Setting.DEVICE_CACHE)
            ? OptionalLong.of(given.bytes(Setting.DEVICE_CACHE))
            : OptionalLong.empty(),
        clamped(given.bytes(Setting.CHUNK_SIZE)),
        CodecSettings.of(given),
        LayerSettings.of(given),
        given.duration(Setting.CAPTURE_WAIT),
        given.duration(Setting.WATCHDOG),
        CadenceSettings.policy(given, peer.on()),
        RetentionSettings.of(given),
        given.number(Setting.CERTIFY_EVERY),
        given.bytes(Setting.QUEUE_SIZE),
        given.duration(Setting.STORE_PATIENCE),
        given.storeAtStart(),
        given.olderIfUnreadable(),
        given.duration(Setting.JOIN_TIMEOUT),
        given.duration(Setting.CLOSE_TIMEOUT),
        given.port(Setting.DRIVER_PORT),
        clamped(given.number(Setting.STANDBY)),
        SharingSettings.of(given),
        peer,
        CoordinatorSettings.of(given));
  }

  /**
   * The bound of a cache that the protected regions give: a part of this memory, and so many chunks
   * as a cache can have.
   */
  public long mostCacheBytes(long memoryBytes) {
    long chunks = Math.min(MAX_CHUNKS, memoryBytes / CACHE_DIVISOR / chunkBytes);
    return Math.max(1, chunks) * chunkBytes;
  }

  private static String place(String store) {
    try {
      CheckpointStores.require(store);
      return store;
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(Setting.STORE.name() + ": " + e.getMessage(), e);
    }
  }

  /** Checkpoints kept per group and level, landmarks at STORE apart. */
  public int keep() {
    return retention.newest();
  }

  private static int clamped(long number) {
    return Math.toIntExact(Math.min(Integer.MAX_VALUE, number));
  }
}
