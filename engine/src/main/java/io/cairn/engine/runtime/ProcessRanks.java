package io.cairn.engine.runtime;

import io.cairn.Checkpointer;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.model.LevelSpec;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.protocol.RankSurvey;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.config.PeerSettings;
import io.cairn.engine.coordination.Coordination;
import io.cairn.engine.events.GoodputBook;
import io.cairn.engine.events.Observers;
import io.cairn.engine.events.Watchdog;
import io.cairn.engine.nodes.NodePeer;
import io.cairn.engine.promotion.LifeSign;
import io.cairn.engine.promotion.NodeRepair;
import io.cairn.engine.promotion.Promotion;
import io.cairn.engine.session.CheckpointSession;
import io.cairn.engine.session.DeviceCopies;
import io.cairn.engine.session.Planners;
import io.cairn.engine.session.SessionContext;
import io.cairn.engine.session.Start;
import io.cairn.engine.sharing.Sharing;
import io.cairn.flush.restore.CopySource;
import io.cairn.flush.restore.RestorePlanner;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The ranks that joined in this process, and the parts of it that all of them use. Thread-safe. */
final class ProcessRanks {
  private static final Logger LOG = LoggerFactory.getLogger(ProcessRanks.class);

  private final Levels levels;
  private final Promotion promotion;
  private final Observers observers;
  private final Watchdog watchdog;
  private final GoodputBook goodput;
  private final Supplier<Optional<Sharing>> sharing;
  private final RestoreRepairs repairs;
  private final Set<String> unknownRegions = ConcurrentHashMap.newKeySet();
  private final Set<CheckpointSession> sessions = ConcurrentHashMap.newKeySet();
  private final DeviceCopies atDevice;
  private volatile Runnable interruption = () -> {};
  private volatile Optional<NodePeer> nodes = Optional.empty();
  private volatile boolean closing;
  private volatile String run = UUID.randomUUID().toString();

  ProcessRanks(
      Levels levels,
      Promotion promotion,
      Observers observers,
      Watchdog watchdog,
      GoodputBook goodput,
      Supplier<Optional<Sharing>> sharing) {
    this.levels = levels;
    this.promotion = promotion;
    this.observers = observers;
    this.watchdog = watchdog;
    this.goodput = goodput;
    this.sharing = sharing;
    this.atDevice = new DeviceCopies(levels.cache());
    this.repairs = repairs();
    observers.add(repairs);
  }

  private RestoreRepairs repairs() {
    CairnConfig config = levels.config();
    PeerSettings.Scheme scheme = config.peer().scheme();
    Level level = LevelSpec.keptBy(LevelSpec.Keeper.MACHINE);
    NodeRepair repair =
        new NodeRepair(
            level,
            levels.groups(),
            levels.store(),
            config.codecs().at(level),
            scheme == PeerSettings.Scheme.XOR || scheme == PeerSettings.Scheme.RS,
            observers::publish);
    return new RestoreRepairs(
        repair,
        member -> new RestorePlanner(copies(member, Optional.empty(), false)),
        this::epoch,
        observers::publish,
        levels.environment().workers().stage("repair", config.queueBytes(), 1));
  }

  private OptionalLong epoch(Member member) {
    return joined()
        .filter(session -> session.member().equals(member))
        .mapToLong(CheckpointSession::epoch)
        .max();
  }

  private Stream<CheckpointSession> joined() {
    return sessions.stream().filter(CheckpointSession::hasJoined);
  }

  /** The ranks that run here, in no order. */
  List<RunningRank> running() {
    return joined()
        .map(one -> one.running((newest, waits) -> new RunningRank(one.member(), newest, waits)))
        .toList();
  }

  /** Sets the check for a cancellation, for joins from now on. */
  void interruption(Runnable check) {
    interruption = check;
  }

  /**
   * Joins the processes that serve their nodes, as {@link CairnEngine#joinNodes} says.
   *
   * @param withoutDesk as for {@link NodePeer}
   */
  void joinNodes(
      String process,
      String node,
      PeerAddress desk,
      PeerTransport.Opening transports,
      Runnable withoutDesk)
      throws IOException {
    nodes =
        Optional.of(
            new NodePeer(
                levels.config(),
                new NodePeer.Places(
                    levels.node(), levels.store(), levels.partners(), levels.stagingServers()),
                process,
                node,
                desk,
                transports,
                withoutDesk,
                observers::publish,
                levels.environment().workers().ofNode(levels.config())));
    if (closing) {
      endNodes(); // which may have missed it
    }
  }

  /** The name of the node that this process serves; empty if it serves none. */
  String node() {
    return nodes.map(NodePeer::node).orElse("");
  }

  /** Registers this process at the desk, if it serves its node; waits for at most 5 s. */
  void announceNode() {
    nodes.ifPresent(NodePeer::register);
  }

  /** No rank waits for its group any more. */
  void closing() {
    closing = true;
  }

  /** Names the run, for joins from now on. */
  void run(String id) {
    run = Fingerprint.value(id);
  }

  /** Joins a rank, waiting until its group is complete. */
  Checkpointer join(Member member, Coordination coordination) {
    Environment environment = levels.environment();
    return new CheckpointSession(
        new SessionContext(
            levels.cache(),
            promotion,
            each -> LifeSign.of(levels.home(), levels.node(), levels.groups(), each),
            new Start(
                levels.config().label(),
                run,
                levels.config().resume(),
                levels.config().olderIfUnreadable(),
                levels.config().accepted()),
            levels.config().codecs().regions(),
            unknownRegions,
            new ForRestore(member),
            coordination,
            environment.waits(),
            interruption,
            environment.workers().captures(),
            observers,
            watchdog,
            goodput,
            levels.config().storePatience(),
            levels.config().joinTimeout(),
            () -> closing,
            levels.config().captureWait(),
            levels.config().closeTimeout(),
            atDevice,
            sessions,
            sharing,
            environment.nanoTime()),
        member);
  }

  /** The nodes that a peer knows. */
  private record Served(NodePeer peer, Duration patience) implements Planners.Nodes {
    @Override
    public String own() {
      return peer.node();
    }

    @Override
    public boolean isReached(String node) {
      return peer.isReached(node);
    }
  }

  /** The copies of a rank, the nearest ones first. */
  private final class ForRestore implements Planners {
    private final Member member;

    ForRestore(Member member) {
      this.member = member;
    }

    @Override
    public RestorePlanner planner(Optional<RankSurvey> atStore) {
      return new RestorePlanner(copies(member, atStore, true));
    }

    @Override
    public Planners.Nodes nodes() {
      return nodes
          .<Planners.Nodes>map(peer -> new Served(peer, levels.config().nodePatience()))
          .orElse(Planners.Nodes.NONE);
    }
  }

  private List<CopySource> copies(Member member, Optional<RankSurvey> atStore, boolean ofNode) {
    List<CopySource> nearestFirst = new ArrayList<>();
    nearestFirst.add(atDevice);
    promotion.copies(atStore).stream()
        .filter(source -> ofNode || !isOfMachine(source.level()))
        .forEach(nearestFirst::add);
    nodes.ifPresent(
        others -> {
          for (LevelSpec spec : levels.config().levels()) {
            if (spec.isServed()) {
              nearestFirst.add(others.copies(spec.level(), member, levels.groups()::birth));
            }
            if (spec.isFetched()) {
              nearestFirst.add(others.rebuilt(spec.level(), member, levels.groups()::birth));
            }
          }
        });
    // stable, so that this node comes before the others
    nearestFirst.sort(Comparator.comparing(CopySource::level));
    return nearestFirst;
  }

  private static boolean isOfMachine(Level level) {
    return LevelSpec.of(level).keeper() == LevelSpec.Keeper.MACHINE;
  }

  /** Asks every group to rescue its newest checkpoint; returns whether all answered in time. */
  boolean rescue(Duration patience) {
    CompletableFuture<Void> answers =
        CompletableFuture.allOf(
            joined().map(CheckpointSession::endangered).toArray(CompletableFuture<?>[]::new));
    try {
      if (levels.environment().waits().await(answers, patience.toNanos())
          && !answers.isCompletedExceptionally()) {
        return true;
      }
      LOG.warn("Not every group answered within {} that its checkpoint is on its way", patience);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }

  /** Ends the repairs, for which it waits until {@code endNanos}, and the service of this node. */
  void end(long endNanos) {
    long now = levels.environment().nanoTime().getAsLong();
    repairs.end(Duration.ofNanos(Math.max(0, endNanos - now)));
    endNodes();
  }

  private void endNodes() {
    nodes.ifPresent(serving -> Levels.close("service of this node", serving));
  }
}
