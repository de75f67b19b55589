package io.cairn.engine.runtime;

import io.cairn.Cadence;
import io.cairn.Cairn;
import io.cairn.CairnEvent;
import io.cairn.Checkpointer;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.StoredCheckpoints;
import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.core.model.LevelSpec;
import io.cairn.core.model.OpenParts;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.sharing.Occupancy;
import io.cairn.core.wire.ChunkSpan;
import io.cairn.core.wire.PeerRequest;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.config.OwnDirectories;
import io.cairn.engine.coordination.CadenceReports;
import io.cairn.engine.coordination.Coordination;
import io.cairn.engine.events.Counters;
import io.cairn.engine.events.EventLog;
import io.cairn.engine.events.GoodputBook;
import io.cairn.engine.events.Observers;
import io.cairn.engine.events.Watchdog;
import io.cairn.engine.net.Services;
import io.cairn.engine.net.SharedTransport;
import io.cairn.engine.nodes.NodeName;
import io.cairn.engine.promotion.NodeDirectory;
import io.cairn.engine.promotion.Promotion;
import io.cairn.engine.sharing.Sharing;
import io.cairn.engine.sharing.SharingThreads;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.CheckpointStores;
import io.cairn.flush.store.LateStore;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine behind {@link Cairn}, with the methods that a host needs beside it: whoever opens the
 * device and the store late, shares memory and nodes with other processes, or coordinates groups
 * over several. Thread-safe, except {@link #close()}, which must be the last call.
 */
public final class CairnEngine implements Cairn {
  private static final Logger LOG = LoggerFactory.getLogger(CairnEngine.class);
  private static final Duration MOST_FOR_COMMITS = Duration.ofSeconds(3);

  /** The time that closing may take beyond its waits. */
  private static final Duration CLOSING_GRACE = Duration.ofSeconds(10);

  private final CairnConfig config;
  private final Levels levels;
  private final Promotion promotion;
  private final CadenceReports cadenceReports;
  private final Counters counters;
  private final GoodputBook goodput;
  private final Coordinations coordinations;
  private final ProcessRanks ranks;
  private final Watchdog watchdog;
  private final DeviceReserve reserve;
  private final Services services = new Services();
  private volatile @Nullable PeerTransport transport;
  private volatile @Nullable Sharing sharing;

  /** The thread that closes it, or has. */
  private final AtomicReference<@Nullable Thread> closer = new AtomicReference<>();

  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile @Nullable ExitHook exitHook;

  private CairnEngine(Levels levels, List<StepPlan> steps) {
    this.config = levels.config();
    Environment environment = levels.environment();
    LongSupplier nanoTime = environment.nanoTime();
    this.levels = levels;
    this.counters = new Counters(config.cadence().start().periods().getOrDefault(Level.DEVICE, 1L));
    this.goodput =
        new GoodputBook(
            nanoTime, environment.clock()::millis, environment.started().toEpochMilli());
    Observers observers = levels.observers();
    observers.add(counters);
    observers.add(new EventLog(nanoTime));
    levels
        .cache()
        .onEvict(gone -> observers.publish(new CairnEvent.Evicted(gone.id(), gone.rank())));
    this.watchdog = new Watchdog(config.watchdog(), observers::publish, nanoTime);
    watchdog.begin();
    this.promotion =
        new Promotion(steps.stream().map(step -> step.start(levels)).toList(), watchdog, nanoTime);
    this.ranks =
        new ProcessRanks(
            levels, promotion, observers, watchdog, goodput, () -> Optional.ofNullable(sharing));
    this.cadenceReports = new CadenceReports(nanoTime);
    this.coordinations = new Coordinations(levels, cadenceReports, ranks, this::meet);
    this.reserve =
        new DeviceReserve(
            levels.memory(),
            levels.cache(),
            config.device().reserveBytes(),
            observers,
            () -> Optional.ofNullable(sharing));
    reserve.begin();
  }

  /**
   * Opens checkpointing with the device and the store that the configuration names. If the process
   * ends before {@link #close()}, by SIGTERM for instance, it rescues the newest checkpoints first.
   * A store that is out of reach is tried for {@link CairnConfig#storePatience()}. A process with
   * the setting {@code coordinator} {@linkplain #meet meets} those that meet there.
   *
   * @throws IOException if the store lacks the needed semantics, or a directory cannot be used; the
   *     message names it
   */
  public static CairnEngine open(CairnConfig config) throws IOException {
    OwnDirectories.makeDefaultStore(config.store());
    NodeDirectory.requireMounted(config.nodeDirectory(), config.store());
    try (OpenParts opened = new OpenParts()) {
      CheckpointStore store =
          opened.add(
              new StoreOpening(
                      config.store(),
                      () -> CheckpointStores.open(config.store(), config.storeHadoop()),
                      () -> CheckpointStores.openUnprobed(config.store(), config.storeHadoop()),
                      config.storePatience())
                  .open());
      CairnEngine cairn = opened.add(opened.keep(open(config, store)));
      cairn.exitHook = ExitHook.register(cairn);
      cairn.coordinations.meetOthers();
      return opened.keep(cairn);
    }
  }

  /**
   * Like {@link #open(CairnConfig)}, with an open store. {@link #close()} closes it; if this method
   * fails, it stays open.
   */
  public static CairnEngine open(CairnConfig config, CheckpointStore store) throws IOException {
    DeviceMemory memory = Devices.open(config);
    try {
      return open(config, store, memory);
    } catch (IOException | RuntimeException | Error e) {
      Levels.close("device", memory);
      throw e;
    }
  }

  /**
   * Like {@link #open(CairnConfig)}, with an open store and device. {@link #close()} closes both;
   * if this method fails, they stay open.
   */
  public static CairnEngine open(CairnConfig config, CheckpointStore store, DeviceMemory memory)
      throws IOException {
    return open(config, store, memory, StepPlan.of(config));
  }

  /**
   * Like {@link #open(CairnConfig, CheckpointStore)}, except that NODE and STORE need not be usable
   * yet. Checkpoints fail at a level with its reason until it is, which the log reports now. Waits
   * for both for some seconds.
   *
   * @throws IOException if the device cannot be opened
   */
  public static CairnEngine openLate(CairnConfig config, LateStore store) throws IOException {
    return openLate(config, store, Levels.OPENING_WAIT);
  }

  /** Like the other method, with the longest wait for NODE and STORE together. */
  static CairnEngine openLate(CairnConfig config, LateStore store, Duration wait)
      throws IOException {
    DeviceMemory memory = Devices.open(config);
    try {
      Levels levels =
          Levels.openLate(config, Environment.ofJvm(config, store, memory, System::nanoTime));
      levels.tryOpen(store, wait);
      return begin(levels, StepPlan.of(config));
    } catch (IOException | RuntimeException | Error e) {
      Levels.close("device", memory);
      throw e;
    }
  }

  /**
   * Like {@link #open(CairnConfig, CheckpointStore, DeviceMemory)}, with all that comes from
   * outside. NODE is opened when it is first used and can be. If this method fails, store and
   * device stay open.
   */
  public static CairnEngine open(CairnConfig config, Environment environment) throws IOException {
    return begin(Levels.openLate(config, environment), StepPlan.of(config));
  }

  /** Like {@link #open(CairnConfig, CheckpointStore, DeviceMemory)}, with a list of levels. */
  static CairnEngine open(
      CairnConfig config, CheckpointStore store, DeviceMemory memory, List<StepPlan> steps)
      throws IOException {
    return open(config, store, memory, steps, System::nanoTime);
  }

  /** Like the other, by this clock, as {@link System#nanoTime}. */
  static CairnEngine open(
      CairnConfig config,
      CheckpointStore store,
      DeviceMemory memory,
      List<StepPlan> steps,
      LongSupplier nanoTime)
      throws IOException {
    return begin(Levels.open(config, Environment.ofJvm(config, store, memory, nanoTime)), steps);
  }

  private static CairnEngine begin(Levels levels, List<StepPlan> steps) {
    UnseenLog.report();
    try {
      return new CairnEngine(levels, steps);
    } catch (RuntimeException | Error e) {
      levels.giveBack();
      throw e;
    }
  }

  @Override
  public void install() {
    ProcessInstance.install(this);
  }

  /** Opens the instance of a process when it is first needed, on a thread of its own. */
  @FunctionalInterface
  public interface Opening {
    /** A new instance; {@link Cairn#current()} returns it until it is closed. */
    CairnEngine open() throws IOException;
  }

  /**
   * Replaces the coordination of groups of several ranks. Groups of one are coordinated here.
   *
   * @param coordination used for joins from now on
   */
  public void coordinateCoupledGroups(Coordination coordination) {
    coordinations.coupledBy(coordination);
  }

  /**
   * Meets the other processes of the job: shares device memory with them and serves this node to
   * them, both as the configuration says, at one port. A process that cannot checkpoints all the
   * same, and the log says why. Does not repeat what succeeded before.
   *
   * @return whether this process shares all that it is to share
   */
  public boolean meet(MeetingProcess self) {
    if (!config.sharing().on() && !config.nodeServe()) {
      return true;
    }
    PeerTransport way;
    try {
      way = transport(self.transports());
    } catch (IOException | IllegalArgumentException e) {
      LOG.error("This process serves no others, neither its device memory nor its node", e);
      return false;
    }
    boolean serves = serves(self, way);
    return shares(self, way) && serves;
  }

  /** The transport of this process, which outlives its services. */
  private synchronized PeerTransport transport(PeerTransport.Opening opening) throws IOException {
    PeerTransport open = transport;
    if (open == null) {
      open = opening.open(services);
      transport = open;
      if (closer.get() != null) {
        open.close(); // which may have missed it
      }
    }
    return open;
  }

  private boolean shares(MeetingProcess self, PeerTransport way) {
    if (!config.sharing().on() || sharing != null) {
      return true;
    }
    try {
      share(
          (cache, memory, threads) ->
              self.share(
                  config.sharing(),
                  cache,
                  memory,
                  service -> {
                    var unused =
                        services
                            .with(PeerRequest.ToHolder.class, service)
                            .with(ChunkSpan.class, service);
                    return new SharedTransport(way);
                  },
                  threads));
      return true;
    } catch (IOException | IllegalArgumentException e) {
      services.without(PeerRequest.ToHolder.class);
      services.without(ChunkSpan.class);
      LOG.error("This process shares no device memory", e);
      return false;
    }
  }

  private boolean serves(MeetingProcess self, PeerTransport way) {
    if (!config.nodeServe() || !ranks.node().isEmpty()) {
      return true;
    }
    String node = NodeName.of(self.machine(), config.nodeDirectory());
    try {
      ranks.joinNodes(
          self.name(),
          node,
          self.desk(),
          service -> {
            var unused = services.with(PeerRequest.ToNode.class, service);
            return new SharedTransport(way);
          },
          self.withoutDesk());
      return true;
    } catch (IOException | IllegalArgumentException e) {
      services.without(PeerRequest.ToNode.class);
      LOG.error("This process serves no copies at its node, and keeps none at PEER", e);
      return false;
    }
  }

  /**
   * Shares device memory with other processes from now on.
   *
   * @param opener makes the sharing of this process's cache; {@link #close()} closes it
   * @throws IOException as the opener does
   */
  public void share(SharingOpener opener) throws IOException {
    Sharing opened =
        opener.open(levels.cache(), levels.memory(), levels.environment().workers().ofSharing());
    opened.flushTo(
        levels.groups()::of,
        config.codecs().at(LevelSpec.keptBy(LevelSpec.Keeper.MACHINE)),
        bytes -> observers().publish(new CairnEvent.LentFlushed(bytes)));
    sharing = opened;
    if (closer.get() != null) {
      Levels.close("sharing", opened); // which may have missed it
    }
  }

  /** Makes a process's part in sharing. */
  @FunctionalInterface
  public interface SharingOpener {
    /** A sharing of this cache, which lies in this memory, with these threads. */
    Sharing open(ChunkCache cache, DeviceMemory memory, SharingThreads threads) throws IOException;
  }

  /**
   * Serves the checkpoints at this node to processes of other nodes from now on, and reads theirs
   * when a rank is restored. {@link #close()} ends both.
   *
   * @param process unique among these processes
   * @param node the machine and the directory, equal for processes that see the same copies
   * @param desk knows the processes that serve
   * @throws IOException if this process cannot serve
   */
  public void joinNodes(
      String process, String node, PeerAddress desk, PeerTransport.Opening transports)
      throws IOException {
    ranks.joinNodes(process, node, desk, transports, () -> {});
  }

  /**
   * Sets the check that a training thread runs at each checkpoint and while it waits. If the work
   * was cancelled, the check throws {@link java.util.concurrent.CancellationException}, which ends
   * the training.
   */
  public void interruption(Runnable check) {
    ranks.interruption(check);
  }

  /**
   * Names this run, whose checkpoints count even if those of earlier runs do not. By default each
   * process is a run of its own.
   *
   * @param id the same in all processes of an application; used for joins from now on
   */
  public void run(String id) {
    ranks.run(id);
  }

  @Override
  public Checkpointer join(String group, int rank, int size) {
    Member member = new Member(new GroupId(config.job(), group), rank, size);
    return ranks.join(member, coordinations.of(size));
  }

  @Override
  public StoredCheckpoints stored(String group) {
    return new RankAtStore(levels, new Member(new GroupId(config.job(), group), 0, 1));
  }

  @Override
  public boolean rescue(Duration patience) {
    return ranks.rescue(patience);
  }

  /** The configuration of this process. */
  public CairnConfig config() {
    return config;
  }

  /** STORE. */
  public CheckpointStore store() {
    return levels.store();
  }

  @Override
  public Optional<Cadence> cadence(String group) {
    return cadenceReports.cadence(new GroupId(config.job(), group));
  }

  @Override
  public Map<String, Long> counts() {
    return counters.snapshot();
  }

  /** The counts of all events so far. */
  public Counters counters() {
    return counters;
  }

  /**
   * The use of the device cache. Completes at once, or when a thread of the sharing answers; fails
   * if the sharing has ended.
   */
  public CompletionStage<CacheUse> cacheUse() {
    Sharing shared = sharing;
    CompletionStage<Occupancy> peers =
        shared == null
            ? CompletableFuture.completedStage(new Occupancy(0, 0, 0, 0))
            : shared.lent();
    return peers.thenApply(occupied -> CacheUse.of(levels.cache(), occupied));
  }

  /** The time of this process's ranks by its causes. */
  public GoodputBook goodput() {
    return goodput;
  }

  /** The ranks that have joined in this process and not left, in no order. */
  public List<RunningRank> running() {
    return ranks.running();
  }

  /** The predicted and achieved waste of the groups that this process coordinates. */
  public CadenceReports cadenceReports() {
    return cadenceReports;
  }

  /** For tests: what gives memory of the cache to the training. */
  DeviceReserve reserve() {
    return reserve;
  }

  /** The observers, to which a part of this process publishes events. */
  public Observers observers() {
    return levels.observers();
  }

  @Override
  public void addObserver(Consumer<? super CairnEvent> observer) {
    observers().add(observer);
  }

  @Override
  public void removeObserver(Consumer<? super CairnEvent> observer) {
    observers().remove(observer);
  }

  @Override
  public void close() {
    if (closer.compareAndSet(null, Thread.currentThread())) {
      try {
        closeNow();
      } finally {
        closed.countDown();
        // last, so that a process that ends meanwhile waits for what is on its way
        Optional.ofNullable(exitHook).ifPresent(ExitHook::remove);
      }
    } else if (closer.get() != Thread.currentThread()) {
      awaitClosed();
    }
  }

  /** Bounded: the thread that closes may be waiting for this one. */
  private void awaitClosed() {
    try {
      boolean unused =
          closed.await(config.closeTimeout().plus(CLOSING_GRACE).toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void closeNow() {
    ProcessInstance.remove(this);
    ranks.closing();
    reserve.close();
    watchdog.close();
    Environment environment = levels.environment();
    long end = environment.nanoTime().getAsLong() + config.closeTimeout().toNanos();
    environment.workers().endCaptures(end);
    promotion.end(end - commitReserveNanos());
    coordinations.close();
    environment.workers().endCoordination(end);
    Optional.ofNullable(sharing).ifPresent(shared -> Levels.close("sharing", shared));
    ranks.end(end);
    // before the memory that peers write into
    Optional.ofNullable(transport).ifPresent(way -> Levels.close("transport", way));
    levels.close();
  }

  /** Of the time to close; a checkpoint that was written is to be committed, too. */
  private long commitReserveNanos() {
    Duration tenth = config.closeTimeout().dividedBy(10);
    return (tenth.compareTo(MOST_FOR_COMMITS) < 0 ? tenth : MOST_FOR_COMMITS).toNanos();
  }
}
