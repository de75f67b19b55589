package io.cairn.engine.runtime;

import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.core.model.GroupId;
import io.cairn.core.model.Level;
import io.cairn.core.model.Member;
import io.cairn.core.session.Checkpointer;
import io.cairn.engine.capture.CheckpointSession;
import io.cairn.engine.capture.SessionContext;
import io.cairn.engine.promotion.NodeDirectory;
import io.cairn.engine.promotion.Promotion;
import io.cairn.engine.restore.DeviceCopies;
import io.cairn.engine.sharing.Sharing;
import io.cairn.flush.restore.RestorePlanner;
import io.cairn.flush.restore.StoreCopies;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checkpointing in one process: a device cache, the stages that lead down from it, and the stores.
 * Any number of ranks join it. Thread-safe, but for {@link #close()}, which comes last.
 *
 * <pre>{@code
 * try (Cairn cairn = Cairn.open(CairnConfig.defaults());
 *     Checkpointer checkpointer = cairn.join("run-1")) {
 *   checkpointer.protect(Region.of("weights", weights));
 *   long from = checkpointer.restore().map(r -> r.id().iteration() + 1).orElse(0L);
 *   for (long i = from; i < 10_000; i++) {
 *     step(weights);
 *     checkpointer.checkpoint(i).captured().join();
 *   }
 * }
 * }</pre>
 */
public final class Cairn implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Cairn.class);
  private static final long GRACE_NANOS = 1_000_000_000;
  private static @Nullable Cairn current;

  private final CairnConfig config;
  private final DeviceMemory memory;
  private final @Nullable DeviceMemory host;
  private final ChunkCache cache;
  private final CheckpointStore node;
  private final CheckpointStore store;
  private final Promotion promotion;
  private final ExecutorService coordinators = daemons("cairn-coordinator");
  private final ExecutorService committer = daemons("cairn-commit");
  private final ExecutorService searcher = daemons("cairn-cadence");
  private final ExecutorService completer = daemons("cairn-capture");
  private final CadenceReports cadenceReports = new CadenceReports();
  private final Counters counters = new Counters();
  private final Observers observers = new Observers();
  private final Coordination local;
  private volatile Coordination coupled;
  private volatile Runnable interruption = () -> {};
  private volatile @Nullable Sharing sharing;
  private final Set<CheckpointSession> sessions = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean closed = new AtomicBoolean();

  private Cairn(
      CairnConfig config,
      DeviceMemory memory,
      NodeDirectory home,
      CheckpointStore node,
      CheckpointStore store)
      throws IOException {
    this.config = config;
    this.memory = memory;
    this.node = node;
    this.store = store;
    this.host = host(config);
    this.cache =
        new ChunkCache(
            memory,
            config.cacheBytes(),
            host == null ? memory : host,
            host == null ? 0 : config.sharing().hostBytes(),
            config.chunkBytes());
    this.cache.onEvict(gone -> counters.evicted());
    this.promotion =
        new Promotion(home, node, store, config.chunkBytes(), config.queueBytes(), config.keep());
    HostContext context =
        new HostContext(
            config.cadence(),
            config.keep(),
            store,
            "process " + ManagementFactory.getRuntimeMXBean().getName(),
            coordinators,
            committer,
            searcher,
            cadenceReports);
    this.local =
        new LocalCoordination((group, size, outbox) -> new GroupHost(context, group, size, outbox));
    this.coupled = local;
  }

  /**
   * Memory of the host for what fits neither the own device nor a peer's; null if there is none.
   */
  private static @Nullable DeviceMemory host(CairnConfig config) throws IOException {
    long bytes = config.sharing().hostBytes();
    return bytes < config.chunkBytes()
        ? null
        : SharedMemoryDevice.open(
            config.deviceDirectory(), OwnDirectories.temporary("device"), bytes);
  }

  private static ExecutorService daemons(String name) {
    return Executors.newSingleThreadExecutor(
        task -> {
          Thread thread = new Thread(task, name);
          thread.setDaemon(true);
          return thread;
        });
  }

  /**
   * Opens checkpointing with a shared-memory device and the store that the configuration names.
   *
   * @throws IOException if the store lacks the needed semantics, or a directory cannot be used; the
   *     message names it
   */
  public static Cairn open(CairnConfig config) throws IOException {
    OwnDirectories.makeDefaultStore(config.store());
    CheckpointStore store = CheckpointStores.open(config.store());
    try {
      return open(config, store);
    } catch (IOException | RuntimeException e) {
      closing("store", store);
      throw e;
    }
  }

  /**
   * Like {@link #open(CairnConfig)}, with a store that is open already; it is closed with this, but
   * not if this fails.
   */
  public static Cairn open(CairnConfig config, CheckpointStore store) throws IOException {
    Path fallback = OwnDirectories.temporary("device");
    OwnDirectories.makeDefault(
        Setting.DEVICE_DIR, config.deviceDirectory(), OwnDirectories.sharedMemory("device"));
    DeviceMemory memory =
        SharedMemoryDevice.open(config.deviceDirectory(), fallback, config.cacheBytes());
    try {
      return open(config, store, memory);
    } catch (IOException | RuntimeException e) {
      closing("device", memory);
      throw e;
    }
  }

  /**
   * Like {@link #open(CairnConfig)}, with store and device; both are closed with this, but not if
   * this fails.
   */
  public static Cairn open(CairnConfig config, CheckpointStore store, DeviceMemory memory)
      throws IOException {
    Path directory = config.nodeDirectory();
    OwnDirectories.makeDefault(Setting.NODE_DIR, directory, OwnDirectories.sharedMemory("node"));
    NodeDirectory home = NodeDirectory.of(directory, store);
    CheckpointStore node = home.open();
    OwnDirectories.require(Setting.NODE_DIR, directory);
    return new Cairn(config, memory, home, node, store);
  }

  /**
   * The process's own: the one that was installed last (the Spark plugin installs one per
   * executor), or one on embedded defaults, opened now.
   *
   * @throws IllegalStateException if the defaults cannot be opened
   */
  public static synchronized Cairn current() {
    Cairn cairn = current;
    if (cairn == null) {
      try {
        cairn = open(CairnConfig.defaults());
      } catch (IOException e) {
        throw new IllegalStateException("Cairn on embedded defaults: " + e.getMessage(), e);
      }
      current = cairn;
    }
    return cairn;
  }

  /** Makes this the process's own until it is closed. */
  public void install() {
    synchronized (Cairn.class) {
      current = this;
    }
  }

  /**
   * Replaces how groups of several ranks are coordinated; groups of one stay in this process.
   *
   * @param coordination used for joins from now on
   */
  public void coordinateCoupledGroups(Coordination coordination) {
    coupled = coordination;
  }

  /**
   * Shares device memory with other processes from now on.
   *
   * @param opener makes the sharing, of this process's cache; it is closed with this
   * @throws IOException as the opener does
   */
  public void share(SharingOpener opener) throws IOException {
    Sharing opened = opener.open(cache, memory);
    opened.flushTo(node, counters::lentFlushed);
    sharing = opened;
  }

  /** Makes a process's part in sharing. */
  @FunctionalInterface
  public interface SharingOpener {
    /** A sharing of this cache, which lies in this memory. */
    Sharing open(ChunkCache cache, DeviceMemory memory) throws IOException;
  }

  /**
   * Sets what is asked, on the training thread, whether its work was cancelled; throws {@link
   * java.util.concurrent.CancellationException} if so, which ends the training.
   */
  public void interruption(Runnable check) {
    interruption = check;
  }

  /** Joins an independent rank, a group of one. */
  public Checkpointer join(String group) {
    return join(group, 0, 1);
  }

  /**
   * Joins a rank to its group, waiting until every rank of the group has joined.
   *
   * @throws IllegalArgumentException if group, rank or size are not legal
   * @throws io.cairn.core.session.RestoreException if the rank is refused; the message says why
   */
  public Checkpointer join(String group, int rank, int size) {
    Member member = new Member(new GroupId(config.job(), group), rank, size);
    return new CheckpointSession(
        new SessionContext(
            cache,
            promotion,
            this::planner,
            size == 1 ? local : coupled,
            interruption,
            completer,
            counters,
            observers,
            config.closeTimeout(),
            sessions,
            () -> Optional.ofNullable(sharing)),
        member);
  }

  private RestorePlanner planner() {
    return new RestorePlanner(
        List.of(
            new DeviceCopies(cache),
            new StoreCopies(node, Level.NODE),
            new StoreCopies(store, Level.STORE)));
  }

  /**
   * This process is about to end: every group with a rank in it sends its newest checkpoint on to
   * NODE and STORE. Waits until all of them are on their way, but not longer than {@code patience};
   * {@link #close()} then waits until they are there. May be called again.
   *
   * @return whether every group answered
   */
  public boolean rescue(Duration patience) {
    CompletableFuture<Void> answers =
        CompletableFuture.allOf(
            sessions.stream()
                .map(CheckpointSession::endangered)
                .toArray(CompletableFuture<?>[]::new));
    try {
      answers.get(patience.toNanos(), TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException | ExecutionException e) {
      LOG.warn("Not every group answered within {} that its checkpoint is on its way", patience);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }

  /** What this was opened with. */
  public CairnConfig config() {
    return config;
  }

  /** STORE. */
  public CheckpointStore store() {
    return store;
  }

  /** NODE. */
  public CheckpointStore node() {
    return node;
  }

  /** What happened so far. */
  public Counters counters() {
    return counters;
  }

  /** What the cadences of this process's own groups promise and keep. */
  public CadenceReports cadenceReports() {
    return cadenceReports;
  }

  /** Who is told of what happens. */
  public Observers observers() {
    return observers;
  }

  /**
   * Ends it, waiting as long as configured for what is on its way down. Checkpoints at DEVICE go,
   * those at NODE and STORE stay. Idempotent.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    synchronized (Cairn.class) {
      if (current == this) {
        current = null;
      }
    }
    long end = System.nanoTime() + config.closeTimeout().toNanos();
    searcher.shutdownNow();
    completer.shutdown();
    ending("captures", completer, end);
    promotion.close(config.closeTimeout());
    // what coordinators have heard may lead to commits, and what commits lead to is told to them
    coordinators.execute(committer::shutdown);
    ending("commits", committer, end);
    coordinators.shutdown();
    ending("coordinators", coordinators, end);
    Sharing shared = sharing;
    if (shared != null) {
      closing("sharing", shared);
    }
    closing("device cache", cache);
    closing("device", memory);
    if (host != null) {
      closing("host memory", host);
    }
    closing("node directory", node);
    closing("store", store);
  }

  /** Ends what is queued, so that nothing works on a store or a device that is closed. */
  private static void ending(String what, ExecutorService executor, long endNanos) {
    try {
      // what is done ends at once, even when the time is over
      long left = Math.max(endNanos - System.nanoTime(), GRACE_NANOS);
      if (!executor.awaitTermination(left, TimeUnit.NANOSECONDS)) {
        LOG.warn("The {} did not end in time", what);
        executor.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      executor.shutdownNow();
    }
  }

  private static void closing(String what, AutoCloseable part) {
    try {
      part.close();
    } catch (Exception e) {
      LOG.warn("The {} was not closed in order: {}", what, e.toString());
    }
  }
}
