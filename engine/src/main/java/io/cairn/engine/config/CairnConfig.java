package io.cairn.engine.config;

import io.cairn.Level;
import io.cairn.core.cadence.CadencePolicy;
import io.cairn.core.model.LevelSpec;
import io.cairn.core.sharing.DeskMessage;
import io.cairn.flush.commit.RetentionPolicy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The configuration of one process. Immutable; {@link Setting} explains each value.
 *
 * @param label describes what is trained; empty if the user gave none
 * @param accepted entries in which the program may differ from a checkpoint's
 * @param storeHadoop what is added to the Hadoop configuration of STORE
 * @param storeWriters containers of one rank's checkpoint at STORE
 * @param staging which executors write to STORE for others
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
 * @param network where a process serves others; empty for the default
 * @param coordinator where processes without Spark meet; empty if they do not
 */
public record CairnConfig(
    String job,
    String label,
    ResumePolicy resume,
    Set<String> accepted,
    String store,
    Map<String, String> storeHadoop,
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
    Optional<ServedNetwork> network,
    Optional<CoordinatorSettings> coordinator) {
  private static final int LEAST_CHUNK_BYTES = 4 << 10;
  private static final int MAX_CHUNK_BYTES = 64 << 20;
  private static final int MAX_CHUNKS = DeskMessage.MOST_CHUNKS;

  /** Memory of the machine by the most that a cache takes of it unasked. */
  private static final int CACHE_DIVISOR = 4;

  /** Checks the ranges. */
  public CairnConfig {
    accepted = Set.copyOf(accepted);
    storeHadoop = Map.copyOf(storeHadoop);
    cacheBytes.ifPresent(bytes -> requireChunks(bytes, chunkBytes));
  }

  /** Whether chunks can have a length. */
  static boolean isChunk(long bytes) {
    return bytes >= LEAST_CHUNK_BYTES && bytes <= MAX_CHUNK_BYTES && bytes % Long.BYTES == 0;
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
    return of(values, ofJvm());
  }

  /** Like the other, with these properties of the JVM. */
  static CairnConfig of(Map<String, String> values, Map<String, String> properties) {
    SettingValues given = settings(values, properties);
    return of(given, levels(PeerSettings.of(given)));
  }

  /**
   * Like the other, for a process with these levels.
   *
   * @param levels the lowest first; a setting of a level takes precedence over its line
   */
  static CairnConfig of(
      Map<String, String> values, Map<String, String> properties, List<LevelSpec> levels) {
    return of(settings(values, properties), levels);
  }

  static SettingValues settings(Map<String, String> values, Map<String, String> properties) {
    KnownSettings.require(values, "");
    Map<String, String> all = new HashMap<>(values);
    all.putAll(properties);
    return new SettingValues(all);
  }

  private static List<LevelSpec> levels(PeerSettings peer) {
    return LevelSpec.ALL.stream().filter(spec -> spec.always() || peer.on()).toList();
  }

  /** The levels of a process with this configuration, the lowest first. */
  public List<LevelSpec> levels() {
    return levels(peer);
  }

  /** The one place that reads them. */
  static Map<String, String> ofJvm() {
    Map<String, String> properties = new HashMap<>();
    KnownSettings.requireProperties(System.getProperties().stringPropertyNames());
    for (Setting<?> setting : Setting.all()) {
      String value =
          setting.use() == Setting.Use.PROPERTY ? System.getProperty(setting.name()) : null;
      if (value != null) {
        properties.put(setting.name(), value);
      }
    }
    return properties;
  }

  private static CairnConfig of(SettingValues given, List<LevelSpec> levels) {
    PeerSettings peer = PeerSettings.of(given);
    Level ofMachine = LevelSpec.keptBy(LevelSpec.Keeper.MACHINE);
    return new CairnConfig(
        given.get(Setting.JOB),
        given.get(Setting.LABEL),
        given.get(Setting.RESUME),
        given.get(Setting.ACCEPT),
        given.find(Setting.STORE).orElseGet(() -> OwnDirectories.defaultStore().toString()),
        given.each(Setting.STORE_HADOOP),
        given.get(Setting.STORE_THREADS),
        new WriterSettings(given.get(Setting.STORE_WRITERS)),
        StagingSettings.of(given),
        directory(given, ofMachine),
        given.get(Setting.NODE_EXPIRY),
        given.get(Setting.SHARING).ofNodes(),
        given.get(Setting.PATIENCE.at(ofMachine)),
        DeviceSettings.of(given),
        directory(given, Level.DEVICE),
        given
            .find(Setting.CACHE_SIZE.at(Level.DEVICE))
            .map(OptionalLong::of)
            .orElseGet(OptionalLong::empty),
        given.get(Setting.CHUNK_SIZE),
        CodecSettings.of(given),
        LayerSettings.of(given),
        given.get(Setting.CAPTURE_WAIT),
        given.get(Setting.WATCHDOG),
        CadenceSettings.policy(given, levels),
        given.get(Setting.KEEP),
        given.get(Setting.CERTIFY_EVERY),
        given.get(Setting.QUEUE_SIZE),
        given.get(Setting.PATIENCE.at(LevelSpec.committed())),
        given.get(Setting.STORE_REQUIRED),
        given.get(Setting.STORE_UNREADABLE),
        given.get(Setting.JOIN_TIMEOUT),
        given.get(Setting.CLOSE_TIMEOUT),
        given.get(Setting.PORT.at("driver")),
        given.get(Setting.STANDBY),
        SharingSettings.of(given),
        peer,
        given.find(Setting.NETWORK),
        CoordinatorSettings.of(given));
  }

  private static Path directory(SettingValues given, Level level) {
    return given
        .find(Setting.DIR.at(level))
        .orElseGet(() -> OwnDirectories.sharedMemory(level.name().toLowerCase(Locale.ROOT)));
  }

  /**
   * The bound of a cache that the protected regions give: a part of this memory, and so many chunks
   * as a cache can have.
   */
  public long mostCacheBytes(long memoryBytes) {
    long chunks = Math.min(MAX_CHUNKS, memoryBytes / CACHE_DIVISOR / chunkBytes);
    return Math.max(1, chunks) * chunkBytes;
  }

  /** Names and places alone: a key of Hadoop's may have a secret. */
  @Override
  public String toString() {
    return "CairnConfig[job=%s, store=%s, node=%s, coordinator=%s]"
        .formatted(job, store, nodeDirectory, coordinator);
  }

  /** Checkpoints kept per group and level, landmarks at STORE apart. */
  public int keep() {
    return retention.newest();
  }
}
