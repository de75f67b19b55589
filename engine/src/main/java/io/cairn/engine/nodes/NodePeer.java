package io.cairn.engine.nodes;

import io.cairn.CairnEvent;
import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.core.model.LevelSpec;
import io.cairn.core.model.OpenParts;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.wire.NodeSite;
import io.cairn.engine.config.CairnConfig;
import io.cairn.engine.config.Setting;
import io.cairn.engine.events.Repeats;
import io.cairn.flush.format.ContainerWriter;
import io.cairn.flush.restore.CopySource;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One process among those that serve their nodes: serves the checkpoints at its own node, and reads
 * those at others. Thread-safe.
 */
public final class NodePeer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodePeer.class);

  /** How long an answer is waited for. */
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** The desk forgets a process after six of these. */
  private static final Duration REGISTERED = Duration.ofSeconds(5);

  private final CheckpointStore node;
  private final Asking asking;
  private final Duration nodePatience;
  private final OtherNodes others;
  private final CopyKeeper keeper;
  private final Optional<StagingServer> staging;
  private final Consumer<CairnEvent> events;
  private final Repeats repeats;
  private final Runnable withoutDesk;
  private final Runnable end;

  /**
   * The places of this process's checkpoints, and the processes that share the work on them.
   *
   * @param node the root of NODE; closed by the caller, after the peer
   * @param store STORE; likewise
   * @param partners learn of the other processes
   * @param servers likewise
   */
  public record Places(
      CheckpointStore node, CheckpointStore store, Partners partners, StagingServers servers) {}

  /** Knows the births of groups. */
  @FunctionalInterface
  public interface Births {
    /**
     * The birth of a group that joined in this process.
     *
     * @throws IOException if it is not known
     */
    String of(GroupId group) throws IOException;
  }

  /**
   * Serves a job's checkpoints at this node, and registers at the desk again and again. Waits for
   * the first answer of the desk for at most 5 s.
   *
   * @param config names the job, and bounds the copies that are kept for other nodes
   * @param places of this process
   * @param process the name of this process in its own system
   * @param nodeName the machine and the directory, equal for processes that see the same copies
   * @param desk knows the processes that serve
   * @param transports opens the transport, which is closed with this
   * @param withoutDesk called when no connection to the desk is made; this process may host it
   * @param events receives what was read and served
   * @param threads end with this, or if this process cannot serve
   * @throws IOException if this process cannot serve
   */
  public NodePeer(
      CairnConfig config,
      Places places,
      String process,
      String nodeName,
      PeerAddress desk,
      PeerTransport.Opening transports,
      Runnable withoutDesk,
      Consumer<CairnEvent> events,
      NodeThreads threads)
      throws IOException {
    this.events = events;
    this.nodePatience = config.nodePatience();
    this.withoutDesk = withoutDesk;
    this.end = threads.end();
    LongSupplier nanoTime = threads.nanoTime();
    this.repeats = new Repeats(nanoTime);
    NodeServer server =
        new NodeServer(
            config.job(),
            places.node(),
            bytes -> events.accept(new CairnEvent.ServedFromNode(bytes)),
            threads.server());
    try (OpenParts opened = new OpenParts()) {
      opened.add(threads.end()::run);
      this.asking = new Asking(opened.add(transports.open(server)), PATIENCE, threads.waits());
      PeerAddress address = asking.transport().address();
      NodeSite self =
          new NodeSite(process, nodeName, domain(config, address.host(), nodeName), address);
      this.node = places.node();
      this.others = new OtherNodes(asking, self, desk, nanoTime);
      this.keeper =
          new CopyKeeper(
              config.job(),
              node,
              asking,
              nanoTime,
              new Pace(config.peer().bytesPerSecond(), nanoTime, threads.waits()),
              threads.keeper(),
              bytes -> events.accept(new CairnEvent.KeptForPeer(bytes)),
              places.partners().joined());
      server.keepBy(keeper);
      this.staging =
          config.staging().mayServe(address.host())
              ? Optional.of(staging(config, places.store(), threads))
              : Optional.empty();
      staging.ifPresent(server::stageBy);
      places.partners().join(asking, others);
      places.servers().join(asking, others);
      threads.repeating().start(this::register, REGISTERED);
      var unused = opened.keep(this);
    }
  }

  /** Any process that may is ready to become a server, when those before it are lost. */
  private StagingServer staging(CairnConfig config, CheckpointStore store, NodeThreads threads) {
    StagedContainers containers =
        new StagedContainers(
            store,
            () ->
                new ContainerWriter(config.chunkBytes(), config.codecs().at(LevelSpec.committed())),
            new Pace(config.staging().bytesPerSecond(), threads.nanoTime(), threads.waits()),
            bytes -> events.accept(new CairnEvent.StagedForOthers(bytes)));
    return new StagingServer(
        config.job(), containers, asking, threads.staging(), threads.nanoTime());
  }

  /** Copies in the same domain would be lost together, so an unknown one is not replaced. */
  private static String domain(CairnConfig config, String host, String node) {
    if (!config.peer().on()) {
      return host;
    }
    try {
      return FailureDomain.of(config.peer().domain(), host, node);
    } catch (IOException e) {
      LOG.error(
          "The failure domain of this process is unknown, so PEER does not protect its checkpoints"
              + " and keeps none here: correct {}, and restart the executor",
          Setting.PEER_DOMAIN.name(),
          e);
      return "";
    }
  }

  /** Registers at the desk, which also happens again and again; waits for at most 5 s. */
  public void register() {
    try {
      others.register();
    } catch (IOException e) {
      if (Asking.isGone(e)) {
        withoutDesk.run();
      }
      repeats
          .pass("register")
          .ifPresent(
              more -> LOG.warn("Other nodes do not learn that this one is served{}", more, e));
    }
  }

  /**
   * A rank's copies at one level at other nodes, for one plan or one verification. The nodes are
   * asked when it is first used, and answer within 20 s or are passed over. Its bytes are not
   * verified.
   *
   * @param level NODE, or PEER for copies that nodes keep for others
   */
  public CopySource copies(Level level, Member member, Births births) {
    return new NodeCopies(
        asking,
        others,
        level,
        member,
        () -> births.of(member.group()),
        nodePatience,
        bytes -> events.accept(new CairnEvent.ReadFromNode(bytes)));
  }

  /** The name of this node. */
  public String node() {
    return others.self().node();
  }

  /** Whether a process of a node is known that answers, as far as it was asked; asks the desk. */
  public boolean isReached(String node) {
    return others.isReached(node);
  }

  /**
   * A rank's copies that are computed from parities and from other ranks' data, for one plan or one
   * verification. Nothing is asked before one is opened. Its bytes are not verified.
   *
   * @param level of the parities
   */
  public CopySource rebuilt(Level level, Member member, Births births) {
    return new RebuiltCopies(
        level,
        asking,
        others,
        node,
        member,
        () -> births.of(member.group()),
        nodePatience,
        bytes -> events.accept(new CairnEvent.ReadFromNode(bytes)));
  }

  /** Ends the service. */
  @Override
  public void close() {
    asking.transport().close();
    keeper.close();
    staging.ifPresent(StagingServer::close);
    end.run();
  }
}
