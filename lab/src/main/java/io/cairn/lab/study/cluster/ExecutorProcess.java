package io.cairn.lab.study.cluster;

import io.cairn.CairnEvent;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.Outcome;
import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.core.protocol.RankSurvey;
import io.cairn.engine.config.RegionSettings;
import io.cairn.engine.config.ResumePolicy;
import io.cairn.engine.config.StagingSettings;
import io.cairn.engine.coordination.Coordination;
import io.cairn.engine.coordination.LocalCoordination;
import io.cairn.engine.coordination.RemoteCoordination;
import io.cairn.engine.events.GoodputBook;
import io.cairn.engine.events.Observers;
import io.cairn.engine.events.Watchdog;
import io.cairn.engine.nodes.NodePeer;
import io.cairn.engine.nodes.Partners;
import io.cairn.engine.nodes.PeerWriter;
import io.cairn.engine.nodes.StagedWriter;
import io.cairn.engine.nodes.StagingServers;
import io.cairn.engine.promotion.LevelWriter;
import io.cairn.engine.promotion.NodeCleaning;
import io.cairn.engine.promotion.NodeDirectory;
import io.cairn.engine.promotion.NodeGroups;
import io.cairn.engine.promotion.NodeWriter;
import io.cairn.engine.promotion.Promotion;
import io.cairn.engine.promotion.PromotionStep;
import io.cairn.engine.promotion.StoreWriter;
import io.cairn.engine.promotion.Uptime;
import io.cairn.engine.session.CheckpointSession;
import io.cairn.engine.session.DeviceCopies;
import io.cairn.engine.session.Planners;
import io.cairn.engine.session.SessionContext;
import io.cairn.engine.session.Start;
import io.cairn.flush.format.ContainerWriter;
import io.cairn.flush.pipeline.Stage;
import io.cairn.flush.restore.CopySource;
import io.cairn.flush.restore.RestorePlanner;
import io.cairn.flush.store.CheckpointStore;
import io.cairn.flush.store.LateStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/** A process that trains ranks: its cache, its levels, and its ways to coordinators. */
final class ExecutorProcess {
  private final Turns turns;
  private final Actor actor;
  private final SimulatedMachine machine;
  private final Settings settings;
  private final ChunkCache cache;
  private final Promotion promotion;
  private final Coordination local;
  private final Coordination remote;
  private final Observers observers = new Observers();
  private final Watchdog watchdog;
  private final GoodputBook goodput;
  private final Set<CheckpointSession> sessions = ConcurrentHashMap.newKeySet();
  private final DeviceCopies atDevice;
  private final Optional<NodeService> nodes;
  private final List<Level> served;

  /** The ways of a process to others; to their nodes only if they serve them. */
  record Ways(Network network, Optional<PeerNetwork> nodes) {}

  /** The places that a process writes to. */
  record Places(
      DeviceMemory device, NodeDirectory home, CheckpointStore node, CheckpointStore store) {}

  ExecutorProcess(
      Turns turns,
      Actor actor,
      SimulatedMachine machine,
      Places places,
      Settings settings,
      Ways ways) {
    this.turns = turns;
    this.actor = actor;
    this.machine = machine;
    this.settings = settings;
    this.cache = cache(places.device());
    this.atDevice = new DeviceCopies(cache);
    LongSupplier nowMillis = () -> turns.wallClock().toEpochMilli();
    this.watchdog = new Watchdog(Duration.ZERO, observers::publish, turns::nowNanos);
    this.goodput = new GoodputBook(turns::nowNanos, nowMillis, nowMillis.getAsLong());
    actor.atDeath(cache::close);
    observers.add(this::note);
    LateStore node = new LateStore(machine.name(), places::node, turns::nowNanos);
    NodeGroups groups = new NodeGroups(node, places.store());
    Partners partners = new Partners(settings.peer(), turns::nowNanos);
    StagingServers servers =
        new StagingServers(
            new StagingSettings(settings.stagingNodes(), List.of(), 0), turns::nowNanos);
    List<PromotionStep> steps =
        new ArrayList<>(
            List.of(
                nodeStep(places, settings, node, groups),
                storeStep(places.store(), settings, groups, servers)));
    if (settings.peer().on()) {
      steps.add(
          1,
          peerStep(settings, new PeerWriter(Level.PEER, node, groups, partners, settings.keep())));
    }
    this.served = settings.peer().on() ? List.of(Level.NODE, Level.PEER) : List.of(Level.NODE);
    this.promotion = new Promotion(steps, watchdog, turns::nowNanos);
    this.nodes =
        ways.nodes()
            .map(
                peers ->
                    new NodeService(
                        turns,
                        actor,
                        machine,
                        peers,
                        new NodePeer.Places(node, places.store(), partners, servers),
                        groups,
                        settings,
                        observers::publish));
    this.local =
        new LocalCoordination(SimulatedDriver.hosts(turns, actor, settings, places.store()));
    this.remote =
        new RemoteCoordination(
            actor.name(),
            machine.name(),
            "",
            ways.network().from(actor),
            new VirtualWaits(turns, actor),
            body -> new StartedThread(actor, body));
  }

  private static ChunkCache cache(DeviceMemory device) {
    try {
      return new ChunkCache(device, Settings.CACHE_BYTES, Settings.CHUNK_BYTES);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private PromotionStep nodeStep(
      Places places, Settings settings, LateStore node, NodeGroups groups) {
    NodeCleaning cleaning =
        new NodeCleaning(places.home(), node, Settings.NODE_EXPIRY, Uptime.ofMachine());
    return new PromotionStep(
        Level.NODE,
        Level.DEVICE,
        Stage.on(actor.executorCallingStores("node", 2_000_000), "node", settings.queueBytes()),
        new NodeWriter(
            Level.NODE,
            places.home(),
            node,
            groups,
            new ContainerWriter(Settings.CHUNK_BYTES),
            settings.keep(),
            settings.maxLayers(),
            cleaning,
            event -> {}));
  }

  private PromotionStep storeStep(
      CheckpointStore store, Settings settings, NodeGroups groups, StagingServers servers) {
    StoreWriter own =
        new StoreWriter(
            Level.STORE,
            store,
            () -> new ContainerWriter(Settings.CHUNK_BYTES),
            1,
            stateBytes -> 1,
            settings.staged() ? 0 : settings.maxLayers(),
            event -> {});
    Executor thread =
        settings.staged()
            ? actor.executorThatWaits("store", 10_000_000)
            : actor.executorCallingStores("store", 10_000_000);
    LevelWriter writer =
        settings.staged()
            ? new StagedWriter(own, groups, servers, event -> {}, turns::nowNanos)
            : own;
    return new PromotionStep(
        Level.STORE, Level.NODE, Stage.on(thread, "store", settings.queueBytes()), writer);
  }

  private PromotionStep peerStep(Settings settings, PeerWriter writer) {
    Stage stage =
        Stage.on(actor.executorThatWaits("peer", 2_000_000), "peer", settings.queueBytes());
    return new PromotionStep(Level.PEER, Level.NODE, stage, writer);
  }

  /** A thread object that starts a simulated thread. */
  private static final class StartedThread extends Thread {
    private final Actor actor;
    private final Runnable body;

    StartedThread(Actor actor, Runnable body) {
      this.actor = actor;
      this.body = body;
    }

    @Override
    public synchronized void start() {
      actor.start("exchange", body);
    }
  }

  Actor actor() {
    return actor;
  }

  SimulatedMachine machine() {
    return machine;
  }

  private void note(CairnEvent event) {
    if (event instanceof CairnEvent.Settled settled
        && !(settled.outcome() instanceof Outcome.NotDue)) {
      turns.note(
          settled.member().group().group() + "/" + settled.member().rank(),
          () -> settled.id().label() + " at " + settled.level() + ": " + settled.outcome());
    }
  }

  /** Joins a rank on the thread that has the turn. */
  CheckpointSession join(Member member, Runnable interruption) {
    SessionContext context =
        new SessionContext(
            cache,
            promotion,
            new Start("", "run", ResumePolicy.AUTO, true, Set.of()),
            RegionSettings.NONE,
            new HashSet<>(),
            planners(member),
            member.size() == 1 ? local : remote,
            new VirtualWaits(turns, actor),
            interruption,
            Runnable::run,
            observers,
            watchdog,
            goodput,
            settings.storePatience(),
            Settings.JOIN_TIMEOUT,
            () -> false,
            Duration.ZERO,
            Settings.CLOSE_TIMEOUT,
            atDevice,
            sessions,
            Optional::empty,
            turns::nowNanos);
    return new CheckpointSession(context, member);
  }

  private Planners planners(Member member) {
    return new Planners() {
      @Override
      public RestorePlanner planner(Optional<RankSurvey> atStore) {
        return ExecutorProcess.this.planner(member, atStore);
      }

      @Override
      public Planners.Nodes nodes() {
        return nodes.map(NodeService::served).orElse(Planners.Nodes.NONE);
      }
    };
  }

  /** The bytes that this process has promised to write to STORE for others. */
  long promisedBytes() {
    return nodes.map(NodeService::promisedBytes).orElse(0L);
  }

  /** The service of this node, if nodes are served. */
  Optional<NodeService> nodes() {
    return nodes;
  }

  private RestorePlanner planner(Member member, Optional<RankSurvey> atStore) {
    List<CopySource> nearestFirst = new ArrayList<>();
    nearestFirst.add(atDevice);
    nearestFirst.addAll(promotion.copies(atStore));
    nodes.ifPresent(
        others -> {
          served.forEach(level -> nearestFirst.add(others.copies(level, member)));
          if (served.contains(Level.PEER)) {
            nearestFirst.add(others.rebuilt(member));
          }
        });
    // stable, so that this node comes before the others
    nearestFirst.sort(Comparator.comparing(CopySource::level));
    return new RestorePlanner(nearestFirst);
  }
}
