package io.cairn.engine.config;

import static io.cairn.engine.config.ValueType.DIRECTORY;
import static io.cairn.engine.config.ValueType.SIZE;
import static io.cairn.engine.config.ValueType.TEXT;
import static io.cairn.engine.config.ValueType.TIME;
import static io.cairn.engine.config.ValueType.TIME_ABOVE_0;
import static io.cairn.engine.config.ValueType.atLeast;
import static io.cairn.engine.config.ValueType.either;
import static io.cairn.engine.config.ValueType.number;
import static io.cairn.engine.config.ValueType.oneOf;

import io.cairn.Compression;
import io.cairn.ErrorBound;
import io.cairn.cache.memory.cuda.CudaOptions;
import io.cairn.core.flow.topology.PresetNames;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.LevelSpec;
import io.cairn.flush.commit.RetentionPolicy;
import io.cairn.flush.store.CheckpointStores;
import io.cairn.internal.PathSegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;

/**
 * A setting: its name, type with bounds, default and meaning, declared once. It parses and checks
 * its values, and the page of settings is made of the declarations, in their order. Immutable.
 *
 * <p>Under Spark its name has the prefix {@code spark.cairn.}. One of a place, such as {@code
 * node.every}, shares its declaration and its row of the table with those of other places.
 */
public final class Setting<T> {
  /** First, since the declarations below add to it. */
  private static final List<Setting<?>> ALL = new ArrayList<>();

  /** The last word of a name that users complete. */
  private static final String KEY = "KEY";

  static final Setting<String> JOB =
      common(
          "job",
          TEXT.checked("one path segment", Setting::requireSegment),
          "cairn",
          "Name of the job, which outlives applications.");

  /** The location of STORE. */
  public static final Setting<String> STORE =
      common(
          "store",
          TEXT.checked("a path or a URI", CheckpointStores::require),
          "",
          "STORE: any Hadoop file system, or a local directory. Default: `cairn` in the user's home"
              + " on Hadoop's default file system, else `~/.cairn/store`. In a URI write `#` as"
              + " `%23`, and `?` as `%3F`.");

  /** Where levels of this machine are. */
  public static final PlacedSetting<Path> DIR =
      placed(
          Use.COMMON,
          "LEVEL.dir",
          DIRECTORY,
          "NODE: a directory that outlives executors. DEVICE: arenas of shared-memory devices."
              + " Default: directories per user in shared memory.",
          "node",
          "",
          "device",
          "");

  static final Setting<PeerSettings.Redundancy> PEER =
      common(
          "peer",
          PeerSettings.REDUNDANCY,
          "none",
          "`partner`: another machine keeps a copy of each rank's checkpoints, which survives the"
              + " loss of any one machine. `xor:K`, `rs:K+M`: sets of at most K ranks share one or"
              + " M parities on other machines, which take less space. At most 64. All need"
              + " `sharing` of nodes and, without Spark, `coordinator`. `none`: there is no PEER.");

  static final PlacedSetting<Long> EVERY =
      placed(
          Use.COMMON,
          "LEVEL.every",
          atLeast(1),
          "Capture or seal every n-th iteration; an adaptive cadence starts with it. Each is a"
              + " multiple of the one before. Default of PEER: as `node.every`.",
          each(spec -> Optional.of(spec.every()).map(Setting::text)));

  static final PlacedSetting<Optional<Duration>> WITHIN =
      placed(
          Use.COMMON,
          "LEVEL.within",
          TIME_ABOVE_0.map(Optional::of).or("off", Optional.empty()),
          "The newest checkpoint of the level never becomes older while training runs. With a fixed"
              + " cadence it holds only if it is set.",
          each(spec -> spec.within().map(Setting::text)));

  static final Setting<RetentionPolicy> KEEP =
      common(
          "keep",
          RetentionSettings.RULES,
          "newest:2",
          "Checkpoints that are kept; `2` is short for `newest:2`. STORE also keeps: `lowest:N` or"
              + " `highest:N`, those with the best scores, which the training gives by"
              + " `Checkpointer.score` or `CairnListener.scoredBy`. `every:N`, the first of each N"
              + " iterations. `younger:6h`, those sealed less than this before the newest; a pause"
              + " between two epochs counts up to a tenth of it. Each seal at STORE lists each"
              + " kept one once.");

  /** The memory of DEVICE. */
  public static final Setting<DeviceSettings.Memory> DEVICE_KIND =
      common(
          "device.kind",
          DeviceSettings.MEMORY,
          "shm",
          "Memory of DEVICE. `shm`: shared memory of the node. `cuda`: of a GPU, needs JNA and"
              + " NVIDIA's driver. `auto`: of a GPU if that can be used, else shared memory; the"
              + " log says why. `cuda:1` names the GPU; without a number it is the one that Spark"
              + " assigned, or the first.");

  static final PlacedSetting<Long> CACHE_SIZE =
      placed(
          Use.COMMON,
          "PLACE.cacheSize",
          SIZE,
          "Memory per process for checkpoints at DEVICE, a million chunks at most, and host memory"
              + " for chunks that fit neither there nor a peer's. Default at DEVICE: two states of"
              + " each rank of the process and a chunk, 16 chunks at least, and per process at most"
              + " a quarter of the memory that the GPU, the machine or its container has.",
          "device",
          "",
          "host",
          "0");

  static final Setting<ResumePolicy> RESUME =
      common(
          "resume",
          oneOf(ResumePolicy.class),
          "auto",
          "`auto`: resume if there is a checkpoint. `require`: refuse to start without one."
              + " `never`: start afresh, without the checkpoints of earlier applications.");

  static final Setting<String> LABEL =
      common(
          "label",
          TEXT.checked("a text", Setting::requireLabel),
          "",
          "Name of what is trained, such as a version of program and data. A checkpoint with"
              + " another label is refused.");

  static final Setting<Duration> CLOSE_TIMEOUT =
      common(
          "closeTimeout",
          TIME,
          "60s",
          "How long closing a rank waits for checkpoints on their way to NODE and STORE, and a"
              + " training for one that goes there without DEVICE.");

  static final Setting<Set<String>> ACCEPT =
      rare(
          "accept",
          TEXT.map(text -> Set.copyOf(ValueType.names(text))),
          "",
          "Names of entries in which the program may differ from the one that wrote the checkpoint,"
              + " such as `network`, separated by commas. Messages of refused checkpoints name"
              + " them.");

  static final Setting<CadenceSettings.Choice> CADENCE =
      rare(
          "cadence",
          CadenceSettings.CHOICE,
          "adaptive:1%",
          "`adaptive`: the periods follow measurements and minimise the waste, and captures may"
              + " block the training for this part of the run time. `fixed`: they do not change, as"
              + " by default if one of `LEVEL.every` is set.");

  static final PlacedSetting<Duration> MTBF =
      placed(
          Use.RARE,
          "LEVEL.mtbf",
          TIME_ABOVE_0,
          "Mean time between failures that need the level, as assumed at the start: errors that"
              + " leave the processes alive, deaths of processes, losses of nodes, and of all nodes"
              + " at once. The estimate grows with every hour without such a failure.",
          each(spec -> Optional.of(text(spec.mtbf()))));

  static final PlacedSetting<Duration> PATIENCE =
      placed(
          Use.RARE,
          "LEVEL.patience",
          TIME,
          "`store`: how long a start, joins and restores try a store that fails; twice at least,"
              + " unless this is 0. `node`: how long a restore waits for a node that has a newer"
              + " checkpoint than all at hand, until an executor serves it; and no longer than"
              + " twice the time of the iterations that it would do again.",
          "store",
          "2m",
          "node",
          "10s");

  static final Setting<Boolean> STORE_REQUIRED =
      rare(
          "store.required",
          either("join", "start"),
          "join",
          "What opens Cairn in a Spark application. `join`: its first join; an application without"
              + " one does not touch STORE, and takes neither memory nor ports. `start`: its start,"
              + " which fails if STORE refuses.");

  static final Setting<Boolean> STORE_UNREADABLE =
      rare(
          "store.unreadable",
          either("refuse", "older"),
          "older",
          "`older`: if the newest manifest at STORE cannot be read for `store.patience`, a restore"
              + " takes the next older checkpoint, and warns. `refuse`: it fails.");

  static final Setting<String> STORE_HADOOP =
      rare(
          "store.hadoop." + KEY,
          TEXT,
          "",
          "Sets KEY in the Hadoop configuration of STORE alone, such as"
              + " `store.hadoop.dfs.replication=2`. Commands take it as"
              + " `--hadoop KEY=VALUE`.");

  static final Setting<Integer> STORE_WRITERS =
      rare(
          "store.writers",
          WriterSettings.WRITERS,
          "auto",
          "Containers that STORE gets of each rank's checkpoint, written side by side. `auto`: one"
              + " for each 4 GiB of the rank's state, 4 and one per processor at most. Each takes a"
              + " thread, and memory for at most four chunks.");

  static final PlacedSetting<Compression> CODEC =
      placed(
          Use.RARE,
          "LEVEL.codec",
          oneOf(Compression.class),
          "Compression of chunks. `shuffle-zstd` is for floats; `adaptive` takes for each chunk"
              + " what writes it soonest. Copies at PEER are those of NODE. Needs lz4-java or"
              + " zstd-jni on the class path, as Spark has them.",
          "node",
          "none",
          "store",
          "none");

  static final Setting<Map<String, Compression>> REGION_CODEC =
      rare(
          "region.codec",
          RegionSettings.CODECS,
          "",
          "Compression of single regions at NODE and STORE, such as `weights=shuffle-zstd,"
              + " index=none`. It replaces what the program asks for, and `LEVEL.codec`.");

  static final Setting<Map<String, ErrorBound>> REGION_LOSS =
      rare(
          "region.loss",
          RegionSettings.LOSSES,
          "",
          "The most by which restored floats or doubles of single regions may differ from the"
              + " captured ones, such as `moments=0.001` or, relative to each value,"
              + " `moments=0.1%`. All other regions are restored bit for bit.");

  static final PlacedSetting<Integer> LAYERS =
      placed(
          Use.RARE,
          "LEVEL.maxLayers",
          number(0, ContainerSummary.MAX_HOLDERS),
          "Older checkpoints that one leans on for chunks that did not change. `0` writes every"
              + " checkpoint whole; so do staging servers, and those that go to PEER. Needs hash4j"
              + " on the class path.",
          "node",
          "0",
          "store",
          "0");

  static final Setting<StagingSettings.Servers> STAGING =
      rare(
          "staging",
          StagingSettings.SERVERS,
          "0",
          "Executors that write to STORE for all others: a number of nodes, or hosts as executors"
              + " reach them, such as `10.0.0.7,10.0.0.8`. One executor of each node does so, with"
              + " ranks or without. Needs `sharing` of nodes. 0: each process writes its"
              + " own.");

  /** The failure domain that a copy at PEER is apart from. */
  public static final Setting<PeerDomain> PEER_DOMAIN =
      rare(
          "peer.domain",
          new ValueType<>("host, node, map:/FILE or script:/FILE", PeerDomain::parse),
          "host",
          "`host`: a copy lies on a host of another name. `node`: in another node directory, even"
              + " on the same host. `map:/FILE`: in another failure domain, which a line of the"
              + " file gives after the name of the host. `script:/FILE`: likewise; the program"
              + " prints the domain of the host that is its argument.");

  static final Setting<SharingSettings.With> SHARING =
      rare(
          "sharing",
          oneOf(SharingSettings.With.class),
          "on",
          "`device`: executors store chunks that exceed their own cache in the spare device memory"
              + " of others. `node`: they serve the copies at their node to executors of other"
              + " nodes, which restore from them. `on`: both. `off`: neither.");

  static final Setting<Long> RATE =
      rare(
          "rate",
          SIZE,
          "0",
          "Bytes per second, such as `100m`, at which a process fetches copies to keep for PEER,"
              + " and at which a staging server reads and writes. 0: no bound.");

  static final Setting<Long> DEVICE_RESERVE =
      rare(
          "device.reserve",
          SIZE,
          "0",
          "Bytes of a GPU's memory that the training is to find free. With less, the device cache"
              + " gives up an eighth of its memory, at most 1 GiB, and again until it has one such"
              + " part left. It never grows again. 0: it gives up nothing.");

  static final Setting<Integer> CHUNK_SIZE =
      rare(
          "chunkSize",
          SIZE.where(CairnConfig::isChunk, "a size from 4k to 64m, a multiple of 8 bytes")
              .map(Math::toIntExact),
          "4m",
          "Unit of capture, checksum and transfer.");

  static final Setting<Long> QUEUE_SIZE =
      rare(
          "queueSize",
          SIZE.where(bytes -> bytes > 0, "a size above 0, such as 64m or 4g"),
          "1g",
          "Bytes that may wait for each level below DEVICE before a checkpoint is skipped.");

  static final Setting<Duration> CAPTURE_WAIT =
      rare(
          "capture.wait",
          TIME,
          "0ms",
          "How long a capture waits for room in the device cache before it is skipped. The wait"
              + " stops the training and counts as blocking time.");

  static final Setting<String> TOPOLOGY =
      rare(
          "topology",
          TEXT.checked("a preset such as dgx1-v100", Setting::requirePreset),
          "",
          "The links between the devices of each machine. Default: the output of `nvidia-smi topo"
              + " -m` there, else memory with equal links.");

  static final PlacedSetting<Integer> PORT =
      placed(
          Use.RARE,
          "PLACE.port",
          number(0, 65_535),
          "First port at which the driver serves executors, and at which an executor, or a process"
              + " without Spark, serves others. Where it is taken, the next free one of the 32"
              + " after it (Spark: `spark.port.maxRetries`). All must reach all. 0: any free"
              + " port.",
          "driver",
          "0",
          "executor",
          "0");

  static final Setting<ServedNetwork> NETWORK =
      rare(
          "network",
          ServedNetwork.TYPE,
          "",
          "Where a process serves others, on a machine with several addresses. Default: the"
              + " executor's host, or without Spark the address that reaches `coordinator`.");

  static final Setting<Integer> STANDBY =
      rare(
          "standby",
          number(0, 1000),
          "0",
          "Tasks that `CairnStandby.map` starts beyond one per rank. They wait with a warm process,"
              + " and take the rank of a lost executor over. Each needs a slot, on an executor"
              + " without a rank.");

  static final Setting<Long> CERTIFY_EVERY =
      rare(
          "certify.every",
          atLeast(0),
          "0",
          "A spare process verifies one checkpoint at STORE of each so many iterations by replay,"
              + " while processors are idle. Needs a program that calls `Certifier.watch`. 0:"
              + " none.");

  static final Setting<HostPort> COORDINATOR =
      rare(
          "coordinator",
          new ValueType<>("a host and a port, such as 127.0.0.1:7177", HostPort::parse),
          "",
          "Where processes without Spark meet, to form groups of several ranks and to share nodes"
              + " and device memory. The first process there hosts the coordinator. Default: only"
              + " ranks of one process form a group. Spark's driver needs no address.");

  /** The secret of processes without Spark, which authenticates and encrypts. */
  public static final Setting<String> SECRET =
      rare(
          "secret",
          SharedSecretSetting.SECRET,
          "",
          "The same in all processes that meet at `coordinator`. Needed if one is on another"
              + " machine. Default: the user's own, in `~/.cairn/secret`. Authenticates"
              + " and encrypts messages.");

  static final Setting<Duration> JOIN_TIMEOUT =
      rare(
          "joinTimeout",
          TIME_ABOVE_0,
          "30m",
          "How long the ranks of a coupled group wait for a missing rank after the last join, and a"
              + " rank for a coordinator that does not answer.");

  static final Setting<String> CUDA_LIBRARY =
      property(
          "device.cudaLibrary",
          TEXT,
          CudaOptions.LIBRARY,
          "The library of NVIDIA's driver, by name or path.");

  static final Setting<Duration> NODE_EXPIRY =
      property(
          "node.expiry",
          TIME_ABOVE_0,
          "7d",
          "Copies at NODE that no process changed for so long are deleted. The machine's running"
              + " time counts. Those of a training that ended in order go when another group writes"
              + " there.");

  static final Setting<Integer> STORE_THREADS =
      property(
          "store.threads",
          number(1, 64),
          "2",
          "Ranks of one executor whose checkpoints are written to STORE at once. Each takes memory"
              + " for at most four chunks.");

  static final Setting<Duration> SHARING_WINDOW =
      property(
          "sharing.window",
          TIME_ABOVE_0,
          "5ms",
          "How long independent ranks are collected for one plan.");

  static final Setting<Duration> SHARING_PATIENCE =
      property(
          "sharing.patience",
          TIME_ABOVE_0,
          "1s",
          "How long a checkpoint waits for its plan, and for its lenders, before the remainder goes"
              + " to host memory. Longer, up to 16 times, where answers usually take longer than an"
              + " eighth of it.");

  static final Setting<Duration> SHARING_SILENCE =
      property(
          "sharing.silence",
          TIME_ABOVE_0,
          "10s",
          "A peer on another machine that sends nothing for so long counts as dead: chunks there"
              + " are lost, and nothing is accepted from it until it answers again.");

  static final Setting<Duration> WATCHDOG =
      property(
          "watchdog.after",
          TIME,
          "5m",
          "A capture, an agreement or a flush that lasts longer is reported, with the stack of its"
              + " thread. `0s`: none is.");

  /** Who sets a setting. */
  public enum Use {
    /** Many users do. */
    COMMON,
    /** Few users do. */
    RARE,
    /** Nobody is expected to; it is a system property of the JVM. */
    PROPERTY
  }

  private final Use use;
  private final String row;
  private final String name;
  private final ValueType<T> type;
  private final String defaultValue;
  private final String meaning;

  private Setting(
      Use use, String row, String name, ValueType<T> type, String defaultValue, String meaning) {
    this.use = use;
    this.row = row;
    this.name = name;
    this.type = type;
    this.defaultValue = defaultValue;
    this.meaning = meaning;
  }

  private static <T> Setting<T> common(
      String name, ValueType<T> type, String defaultValue, String meaning) {
    return declared(new Setting<>(Use.COMMON, name, name, type, defaultValue, meaning));
  }

  private static <T> Setting<T> rare(
      String name, ValueType<T> type, String defaultValue, String meaning) {
    return declared(new Setting<>(Use.RARE, name, name, type, defaultValue, meaning));
  }

  private static <T> Setting<T> property(
      String name, ValueType<T> type, String defaultValue, String meaning) {
    String full = "cairn." + name;
    return declared(new Setting<>(Use.PROPERTY, full, full, type, defaultValue, meaning));
  }

  /** One for each place; places and defaults alternate. */
  private static <T> PlacedSetting<T> placed(
      Use use, String row, ValueType<T> type, String meaning, String... placesAndDefaults) {
    List<Setting<T>> each = new ArrayList<>();
    for (int i = 0; i < placesAndDefaults.length; i += 2) {
      String name = placesAndDefaults[i] + row.substring(row.indexOf('.'));
      each.add(declared(new Setting<>(use, row, name, type, placesAndDefaults[i + 1], meaning)));
    }
    return new PlacedSetting<>(List.copyOf(each));
  }

  /** Each level that has a default, empty where that depends on another setting; with it. */
  private static String[] each(Function<LevelSpec, Optional<String>> defaults) {
    List<String> placesAndDefaults = new ArrayList<>();
    for (LevelSpec spec : LevelSpec.ALL) {
      Optional<String> text = defaults.apply(spec);
      if (text.isPresent()) {
        placesAndDefaults.add(spec.level().name().toLowerCase(Locale.ROOT));
        placesAndDefaults.add(text.get());
      }
    }
    return placesAndDefaults.toArray(new String[0]);
  }

  private static String text(OptionalLong every) {
    return every.isPresent() ? Long.toString(every.getAsLong()) : "";
  }

  /** As a user would write it. */
  private static String text(Duration time) {
    if (time.toSecondsPart() != 0) {
      return time.toSeconds() + "s";
    }
    return time.toMinutesPart() == 0 ? time.toHours() + "h" : time.toMinutes() + "m";
  }

  private static <T> Setting<T> declared(Setting<T> setting) {
    ALL.add(setting);
    return setting;
  }

  /** All of them, in the order of their declarations. */
  public static List<Setting<?>> all() {
    return Collections.unmodifiableList(ALL);
  }

  private static void requireSegment(String job) {
    var unused = PathSegment.require("job", job);
  }

  private static void requireLabel(String label) {
    if (!label.isEmpty()) {
      var unused = Fingerprint.NONE.with("label", label);
    }
  }

  private static void requirePreset(String name) {
    if (!name.isEmpty()) {
      var unused = PresetNames.machine(name);
    }
  }

  /** Who sets it. */
  public Use use() {
    return use;
  }

  /** The first column of its row of the table. */
  public String row() {
    return row;
  }

  /** Without the prefix that it has under Spark. */
  public String name() {
    return name;
  }

  /** Its legal values, in words. */
  public String values() {
    return type.expected();
  }

  /** As a user would write it; empty where the default depends on the machine. */
  public String defaultValue() {
    return defaultValue;
  }

  /** A few sentences for the table of settings. */
  public String meaning() {
    return meaning;
  }

  /** Whether a name is that of this setting. */
  public boolean isNamed(String given) {
    return name.equals(given) || key(given).isPresent();
  }

  /** The part of a name that the user chooses; empty if it is no name of this setting. */
  Optional<String> key(String given) {
    String prefix = name.endsWith("." + KEY) ? name.substring(0, name.length() - KEY.length()) : "";
    return !prefix.isEmpty() && given.startsWith(prefix) && given.length() > prefix.length()
        ? Optional.of(given.substring(prefix.length()))
        : Optional.empty();
  }

  /** The value of a text; throws {@link IllegalArgumentException} if it is not legal. */
  T parse(String text) {
    Optional<T> value;
    try {
      value = type.parse().apply(text);
    } catch (IllegalArgumentException e) {
      throw illegal(text, String.valueOf(e.getMessage()));
    }
    return value.orElseThrow(() -> illegal(text, "give " + type.expected()));
  }

  /** An exception that names the setting, its value and the remedy. */
  IllegalArgumentException illegal(String text, String remedy) {
    return new IllegalArgumentException(
        (use == Use.PROPERTY ? "property -D" : "setting ")
            + name
            + (type.hidden() ? "" : " is '" + text + "'")
            + ": "
            + remedy);
  }
}
