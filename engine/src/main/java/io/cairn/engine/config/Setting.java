package io.cairn.engine.config;

import io.cairn.cache.memory.cuda.CudaOptions;
import java.util.Map;

/**
 * A setting. Under Spark its name has the prefix {@code spark.cairn.}.
 *
 * @param name without the prefix
 * @param defaultValue as a user would write it; empty where the default depends on the machine
 * @param meaning one sentence for the table of settings
 */
public record Setting(String name, String defaultValue, String meaning) {
  /** The name of the job. */
  public static final Setting JOB =
      new Setting("job", "cairn", "Name of the job; it outlives applications. One path segment.");

  /** The user's name for the program and its data. */
  public static final Setting LABEL =
      new Setting(
          "label",
          "",
          "Name of what is trained, such as a version of program and data. A checkpoint with"
              + " another label is refused.");

  /** Whether to resume. */
  public static final Setting RESUME =
      new Setting(
          "resume",
          "auto",
          "`auto`: resume if there is a checkpoint. `require`: refuse to start without one."
              + " `never`: start afresh, without the checkpoints of earlier applications.");

  /** The deliberate changes of the program. */
  public static final Setting ACCEPT =
      new Setting(
          "accept",
          "",
          "Names of entries in which the program may differ from the one that wrote the checkpoint,"
              + " such as `network`, separated by commas. Messages of refused checkpoints name"
              + " them.");

  /** The location of STORE. */
  public static final Setting STORE =
      new Setting(
          "store",
          "",
          "STORE: any Hadoop file system, or a local directory. Default: `cairn` in the user's home"
              + " on Hadoop's default file system, else `~/.cairn/store`. A URI has a scheme, an"
              + " authority and a path alone; write `#` as `%23`, and `?` as `%3F`.");

  /** How long a store that fails is tried. */
  public static final Setting STORE_PATIENCE =
      new Setting(
          "store.patience",
          "2m",
          "How long a start, joins and restores try a store that fails, before they fail. They try"
              + " it twice at least, unless this is 0. The log reports the wait every 10 s.");

  /** What opens Cairn under Spark. */
  public static final Setting STORE_REQUIRED =
      new Setting(
          "store.required",
          "join",
          "What opens Cairn in a Spark application. `join`: its first join; an application without"
              + " one does not touch STORE, and takes neither memory nor ports. `start`: its start,"
              + " which fails if STORE refuses.");

  /** Whether a restore passes over a manifest that stays unreadable. */
  public static final Setting STORE_UNREADABLE =
      new Setting(
          "store.unreadable",
          "older",
          "`older`: if the newest manifest at STORE cannot be read for `store.patience`, a restore"
              + " takes the next older checkpoint, and warns. `refuse`: it fails.");

  /** The copies of each block at STORE. */
  public static final Setting STORE_REPLICATION =
      new Setting(
          "store.replication",
          "",
          "Copies of each block that a Hadoop file system keeps of files at STORE, 1 to 512."
              + " Default: the file system's own.");

  /** The length of a block at STORE. */
  public static final Setting STORE_BLOCK_SIZE =
      new Setting(
          "store.blockSize",
          "",
          "Length of the blocks of files at STORE in a Hadoop file system, 1m to 64g. Default: the"
              + " file system's own.");

  /** How STORE compresses. */
  public static final Setting STORE_CODEC =
      new Setting(
          "store.codec",
          "none",
          "Compression of chunks at STORE: `none`, `lz4`, `zstd`, `shuffle-zstd` for floats, or"
              + " `adaptive`, which takes for each chunk what writes it soonest. Needs lz4-java or"
              + " zstd-jni on the class path, as Spark has them.");

  /** The writers of STORE. */
  public static final Setting STORE_THREADS =
      new Setting(
          "store.threads",
          "2",
          "Ranks of one executor whose checkpoints are written to STORE at once, 1 to 64. Each"
              + " takes memory for at most four chunks.");

  /** The older checkpoints that one at STORE leans on. */
  public static final Setting STORE_LAYERS =
      new Setting(
          "store.maxLayers",
          "0",
          "Older checkpoints of STORE that a checkpoint leans on for chunks that did not change,"
              + " 255 at most. `0` writes every checkpoint whole, and so do staging servers. Needs"
              + " hash4j on the class path.");

  /** The nodes with staging servers. */
  public static final Setting STAGING_NODES =
      new Setting(
          "staging.nodes",
          "0",
          "Nodes whose executors write to STORE for all others, which they read over the network."
              + " 0: each executor writes its own checkpoints. Needs Spark and `node.serve`.");

  /** The processes that stage. */
  public static final Setting STAGING_SERVERS =
      new Setting(
          "staging.servers",
          "",
          "Hosts and ports of processes that write to STORE for all others, separated by commas,"
              + " such as `10.0.0.7:7178,10.0.0.8:7178`. `bin/cairn staging-server` starts one."
              + " Default: none.");

  /** Authenticates owners and staging servers. */
  public static final Setting STAGING_SECRET =
      new Setting(
          "staging.secret",
          "",
          "At least 16 characters, the same here and at all `staging.servers`. Needed if one is on"
              + " another machine. Default: the user's own, in `~/.cairn/secret`. Authenticates"
              + " messages, and encrypts none.");

  /** The rate of a staging server. */
  public static final Setting STAGING_RATE =
      new Setting(
          "staging.rate",
          "0",
          "Bytes per second, such as `100m`, at which a staging server of `staging.nodes` reads and"
              + " writes. 0: no bound.");

  /** The location of NODE. */
  public static final Setting NODE_DIR =
      new Setting(
          "node.dir",
          "",
          "NODE: a directory that outlives executors. Default: a directory per user in shared"
              + " memory.");

  /** When copies at NODE are too old. */
  public static final Setting NODE_EXPIRY =
      new Setting(
          "node.expiry",
          "7d",
          "Copies at NODE that no process changed for so long are deleted. The machine's running"
              + " time counts, not its clock. Those of a training that ended in order go when"
              + " another group writes there.");

  /** How NODE compresses. */
  public static final Setting NODE_CODEC =
      new Setting(
          "node.codec",
          "none",
          "Compression of chunks at NODE, as for `store.codec`. Copies at PEER are those of NODE.");

  /** The older checkpoints that one at NODE leans on. */
  public static final Setting NODE_LAYERS =
      new Setting(
          "node.maxLayers",
          "0",
          "As `store.maxLayers`, at NODE. A checkpoint that goes to PEER is written whole.");

  /** Whether copies at NODE are read across machines. */
  public static final Setting NODE_SERVE =
      new Setting(
          "node.serve",
          "on",
          "`on`: an executor serves the copies at its node to executors of other nodes, which"
              + " restore from them. `off`: each node reads its own copies only.");

  /** How long a restore waits for a node. */
  public static final Setting NODE_PATIENCE =
      new Setting(
          "node.patience",
          "10s",
          "How long a restore waits for a node that has a newer checkpoint than all at hand, until"
              + " an executor serves it; and no longer than twice the time of the iterations that"
              + " it would do again. `0s`: not at all. Needs `node.serve`.");

  /** How PEER protects checkpoints. */
  public static final Setting PEER_SCHEME =
      new Setting(
          "peer.scheme",
          "none",
          "`partner`: another machine keeps a copy of each rank's checkpoints, which survives the"
              + " loss of any one machine. `xor` and `rs`: sets of ranks share parities on other"
              + " machines, which take less space. All need Spark and `node.serve`. `none`: there"
              + " is no PEER.");

  /** The ranks of a set at PEER. */
  public static final Setting PEER_SET =
      new Setting(
          "peer.set",
          "4",
          "With `xor` or `rs`: the most ranks of a set, each on another machine. A parity is as"
              + " large as the data of one rank. At most 64.");

  /** The parities of a set at PEER. */
  public static final Setting PEER_PARITY =
      new Setting(
          "peer.parity",
          "2",
          "With `rs`: parities of a set, each on another machine. So many machines may be lost at"
              + " once. With `xor` it is 1. At most 64.");

  /** The failure domain that a copy at PEER is apart from. */
  public static final Setting PEER_DOMAIN =
      new Setting(
          "peer.domain",
          "host",
          "`host`: a copy lies on a host of another name. `node`: in another node directory, even"
              + " on the same host. `map:/FILE`: in another failure domain, which a line of the"
              + " file gives after the name of the host. `script:/FILE`: likewise; the program"
              + " prints the domain of the host that is its argument.");

  /** The rate of copying to PEER. */
  public static final Setting PEER_RATE =
      new Setting(
          "peer.rate",
          "0",
          "Bytes per second, such as `100m`, at which a process fetches copies to keep. 0: no"
              + " bound.");

  /** The memory of DEVICE. */
  public static final Setting DEVICE_KIND =
      new Setting(
          "device.kind",
          "shm",
          "Memory of DEVICE. `shm`: shared memory of the node. `cuda`: of a GPU, needs JNA and"
              + " NVIDIA's driver. `auto`: of a GPU if that can be used, else shared memory; the"
              + " log says why. `cuda:1` names the GPU; without a number it is the one that Spark"
              + " assigned, or the first.");

  /** The driver of GPUs. */
  public static final Setting DEVICE_CUDA_LIBRARY =
      new Setting(
          "device.cudaLibrary",
          CudaOptions.LIBRARY,
          "The library of NVIDIA's driver, by name or path.");

  /** The low watermark of a GPU's free memory. */
  public static final Setting DEVICE_RESERVE =
      new Setting(
          "device.reserve",
          "0",
          "Bytes of a GPU's memory, such as `2g`, that the training is to find free. With less, the"
              + " device cache gives up an eighth of its memory, at most 1 GiB, and again until it"
              + " has one such part left. It never grows again. 0: it gives up nothing.");

  /** The location of DEVICE. */
  public static final Setting DEVICE_DIR =
      new Setting(
          "device.dir",
          "",
          "Arenas of shared-memory devices. Default: a directory per user in shared memory.");

  /** The size of the device cache. */
  public static final Setting DEVICE_CACHE =
      new Setting(
          "device.cacheSize",
          "",
          "Device memory per process for checkpoints at DEVICE, a million chunks at most. Default:"
              + " two states of each rank of the process and a chunk, 16 chunks at least. It is"
              + " taken when the regions are protected, and is at most, per process, a quarter of"
              + " the memory that the GPU, the machine or its container has.");

  /** The unit of copying. */
  public static final Setting CHUNK_SIZE =
      new Setting("chunkSize", "4m", "Unit of capture, checksum and transfer; at most 64m.");

  /** How long a capture waits for room. */
  public static final Setting CAPTURE_WAIT =
      new Setting(
          "capture.wait",
          "0ms",
          "How long a capture waits for room in the device cache before it is skipped. The wait"
              + " stops the training and counts as blocking time.");

  /** When the watchdog reports. */
  public static final Setting WATCHDOG =
      new Setting(
          "watchdog.after",
          "5m",
          "A capture, an agreement or a flush that lasts longer is reported, with the stack of its"
              + " thread. `0s`: none is.");

  /** How the periods are chosen. */
  public static final Setting CADENCE =
      new Setting(
          "cadence",
          "",
          "`adaptive`: the periods follow measurements and minimise the waste. `fixed`: they do not"
              + " change. Default: `fixed` if one of the periods is set, else `adaptive`.");

  /** The period of DEVICE. */
  public static final Setting DEVICE_EVERY =
      new Setting(
          "device.every", "1", "Capture every n-th iteration; an adaptive cadence starts with it.");

  /** The period of NODE. */
  public static final Setting NODE_EVERY =
      new Setting("node.every", "10", "Seal every n-th iteration at NODE.");

  /** The period of PEER. */
  public static final Setting PEER_EVERY =
      new Setting(
          "peer.every",
          "",
          "Seal every n-th iteration at PEER, if `peer.scheme` is not `none`: a multiple of"
              + " `node.every` that divides `store.every`. Default: as `node.every`.");

  /** The period of STORE. */
  public static final Setting STORE_EVERY =
      new Setting("store.every", "50", "Seal every n-th iteration at STORE.");

  /** The period of certification. */
  public static final Setting CERTIFY_EVERY =
      new Setting(
          "certify.every",
          "0",
          "A spare process verifies one checkpoint at STORE of each so many iterations by replay,"
              + " while processors are idle. Needs a program that calls `Certifier.watch`. 0:"
              + " none.");

  /** The age that the newest checkpoint at NODE may reach. */
  public static final Setting NODE_WITHIN =
      new Setting(
          "node.within",
          "1m",
          "The newest checkpoint at NODE never becomes older while training runs; or `off`. With a"
              + " fixed cadence it holds only if it is set.");

  /** The age that the newest checkpoint at STORE may reach. */
  public static final Setting STORE_WITHIN =
      new Setting("store.within", "10m", "The same for STORE.");

  /** The overhead that checkpoints may cause. */
  public static final Setting STALL_BUDGET =
      new Setting(
          "stallBudget",
          "1%",
          "Fraction of the run time for which an adaptive cadence may block the training.");

  /** The MTBF of errors that DEVICE survives. */
  public static final Setting MTBF_DEVICE =
      new Setting(
          "mtbf.device",
          "10m",
          "Mean time between errors that leave the processes alive, as assumed at the start. The"
              + " estimate grows with every hour without such an error. So do the next three.");

  /** The MTBF of processes. */
  public static final Setting MTBF_NODE =
      new Setting("mtbf.node", "10m", "Mean time between deaths of processes.");

  /** The MTBF of nodes. */
  public static final Setting MTBF_PEER =
      new Setting("mtbf.peer", "1h", "Mean time between losses of nodes.");

  /** The MTBF of all nodes at once. */
  public static final Setting MTBF_STORE =
      new Setting("mtbf.store", "6h", "Mean time between losses of all nodes at once.");

  /** Whether processes share device memory. */
  public static final Setting SHARING =
      new Setting(
          "sharing",
          "on",
          "`on`: executors store chunks that exceed their own cache in the spare device memory of"
              + " other executors. `off`: they do not.");

  /** The size of the cache in host memory. */
  public static final Setting HOST_CACHE =
      new Setting(
          "host.cacheSize",
          "0",
          "Host memory per process for chunks that fit neither its own device nor a peer's.");

  /** The links between devices. */
  public static final Setting TOPOLOGY =
      new Setting(
          "topology",
          "",
          "The links between the devices of each machine: a preset such as `dgx1-v100`. Default:"
              + " the output of `nvidia-smi topo -m` there, else memory with equal links.");

  /** How long groups of one are collected. */
  public static final Setting SHARING_WINDOW =
      new Setting(
          "sharing.window", "5ms", "How long independent ranks are collected for one plan.");

  /** How long a checkpoint waits for its plan. */
  public static final Setting SHARING_PATIENCE =
      new Setting(
          "sharing.patience",
          "1s",
          "How long a checkpoint waits for its plan, and for its lenders, before the remainder"
              + " goes to host memory. Longer, up to 16 times, where answers usually take"
              + " longer than an eighth of it.");

  /** When a silent peer counts as dead. */
  public static final Setting SHARING_SILENCE =
      new Setting(
          "sharing.silence",
          "10s",
          "A peer on another machine that sends nothing for so long counts as dead: chunks there"
              + " are lost, and nothing is accepted from it until it answers"
              + " again.");

  /** Where executors serve each other. */
  public static final Setting SHARING_PORT =
      new Setting(
          "sharing.port",
          "0",
          "First port at which an executor serves its peers, with one port for device memory and"
              + " one for its node. Where one is taken, the next free one of the"
              + " `spark.port.maxRetries` ports after it. Every executor must reach both. 0: any"
              + " free ports.");

  /** Where the driver serves executors. */
  public static final Setting DRIVER_PORT =
      new Setting(
          "driver.port",
          "0",
          "Port at which the driver serves executors: it coordinates groups, plans the sharing and"
              + " knows the nodes that are served. Where it is taken, the next free one of the"
              + " `spark.port.maxRetries` ports after it. Every executor must reach it. 0: any free"
              + " port.");

  /** The standbys of a stage of ranks. */
  public static final Setting STANDBY =
      new Setting(
          "standby",
          "0",
          "Tasks that `CairnStandby.map` starts beyond one per rank, 1000 at most. They wait with a"
              + " warm process, and take the rank of a lost executor over. Each needs a slot, on an"
              + " executor without a rank.");

  /** The bound of each stage. */
  public static final Setting QUEUE_SIZE =
      new Setting(
          "queueSize",
          "1g",
          "Bytes that may wait for each level below DEVICE before a checkpoint is skipped.");

  /** Where processes without Spark coordinate. */
  public static final Setting COORDINATOR =
      new Setting(
          "coordinator",
          "",
          "Host and port at which processes without Spark coordinate groups of several ranks, such"
              + " as `127.0.0.1:7177`. The first process that joins there hosts the coordinator."
              + " Default: only ranks of one process form a group. Spark's driver needs no"
              + " address.");

  /** Authenticates processes that coordinate. */
  public static final Setting COORDINATOR_SECRET =
      new Setting(
          "coordinator.secret",
          "",
          "At least 16 characters, the same in all processes that meet at `coordinator`. Needed if"
              + " other machines can reach it. Default: the user's own, in `~/.cairn/secret`."
              + " Authenticates messages, and encrypts none.");

  /** How long ranks wait for a missing one. */
  public static final Setting JOIN_TIMEOUT =
      new Setting(
          "joinTimeout",
          "30m",
          "How long the ranks of a coupled group wait for a missing rank after the last join, and a"
              + " rank for a coordinator that does not answer.");

  /** How long closing waits. */
  public static final Setting CLOSE_TIMEOUT =
      new Setting(
          "closeTimeout",
          "60s",
          "How long closing a rank waits for checkpoints on their way to NODE and STORE, and a"
              + " training for one that goes there without DEVICE.");

  /** The configured value, or the default. */
  String in(Map<String, String> values) {
    return values.getOrDefault(name, defaultValue).strip();
  }
}
