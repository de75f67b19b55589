package io.cairn.lab.study.cluster;

import io.cairn.CairnEvent;
import io.cairn.Checkpointer;
import io.cairn.Member;
import io.cairn.Outcome;
import io.cairn.cache.chunk.ChunkCache;
import io.cairn.cache.chunk.LentSlots;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.engine.coordination.RemoteCoordination;
import io.cairn.engine.promotion.NodeDirectory;
import io.cairn.engine.promotion.Uptime;
import io.cairn.engine.runtime.CairnEngine;
import io.cairn.engine.runtime.Environment;
import io.cairn.engine.sharing.Sharing;
import io.cairn.engine.sharing.SharingThreads;
import io.cairn.flush.store.CheckpointStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;

/** A process that trains ranks: the engine, in virtual time, and its ways to other processes. */
final class ExecutorProcess {
  private final Turns turns;
  private final Actor actor;
  private final SimulatedMachine machine;
  private final SimulatedWorkers workers;
  private final PeerNetwork peers;
  private final boolean nodesServed;
  private Optional<LentSlots> lent = Optional.empty();
  private final CairnEngine cairn;

  /** The ways of a process to the driver, and to others. */
  record Ways(Network network, PeerNetwork peers) {}

  /** The places that a process writes to. */
  record Places(
      SimulatedDevice device,
      NodeDirectory home,
      CheckpointStore node,
      CheckpointStore store,
      int cacheSlots) {}

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
    this.workers = new SimulatedWorkers(turns, actor, settings);
    this.peers = ways.peers();
    this.nodesServed = settings.nodesServed();
    ProcessMemory memory = new ProcessMemory(places.device(), actor, machine);
    actor.atDeath(memory::close);
    try {
      this.cairn =
          CairnEngine.open(settings.config(places.cacheSlots()), environment(places, memory));
      cairn.addObserver(this::note);
      cairn.run("run");
      if (nodesServed) {
        cairn.joinNodes(actor.name(), boot(), PeerNetwork.DESK, peers.forNodes(actor, machine));
      }
      if (settings.sharing()) {
        cairn.share(this::sharing);
      }
      cairn.coordinateCoupledGroups(coordination(ways.network()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Environment environment(Places places, DeviceMemory memory) {
    return new Environment(
        actor.name(),
        turns.wallClock(),
        turns::nowNanos,
        turns::wallClock,
        () -> new Uptime.Moment(boot(), Duration.ofNanos(turns.nowNanos())),
        new VirtualWaits(turns, actor),
        workers,
        memory,
        places.store(),
        places.home(),
        places::node);
  }

  private Sharing sharing(ChunkCache cache, DeviceMemory memory, SharingThreads threads)
      throws IOException {
    lent = Optional.of(cache.lentSlots());
    return new Sharing(
        Settings.SHARING,
        actor.name(),
        cache,
        memory,
        boot(),
        0,
        PeerNetwork.DESK,
        peers.forSharing(actor, machine),
        threads);
  }

  /** Whether it shares its device memory, so that captures may have chunks elsewhere. */
  boolean shares() {
    return lent.isPresent();
  }

  /** Whether it has ranks that have joined and not left. */
  boolean trains() {
    return !cairn.running().isEmpty();
  }

  /** The slots that it lends now, those in quarantine included. */
  int lentSlots() {
    return lent.map(LentSlots::count).orElse(0);
  }

  /** Names this life of the machine. */
  private String boot() {
    return machine.name() + "-" + machine.losses();
  }

  private RemoteCoordination coordination(Network network) {
    return new RemoteCoordination(
        actor.name(),
        machine.name(),
        "",
        network.from(actor),
        new VirtualWaits(turns, actor),
        body -> new StartedThread(actor, body));
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
    if (event instanceof CairnEvent.StagedForOthers) {
      peers.count(PeerNetwork.STAGED);
    } else if (event instanceof CairnEvent.Leased) {
      peers.count(PeerNetwork.LEASED);
    } else if (event instanceof CairnEvent.Withdrawn) {
      peers.count("checkpoint withdrawn by a lender");
    } else if (event instanceof CairnEvent.Settled settled
        && !(settled.outcome() instanceof Outcome.NotDue)) {
      turns.note(
          settled.member().group().group() + "/" + settled.member().rank(),
          () -> settled.id().label() + " at " + settled.level() + ": " + settled.outcome());
    }
  }

  /** Joins a rank on the thread that has the turn. */
  Checkpointer join(Member member, Runnable interruption) {
    cairn.interruption(interruption);
    return cairn.join(member.group().group(), member.rank(), member.size());
  }

  /** The bytes that this process has promised to write to STORE for others. */
  long promisedBytes() {
    return workers.promisedBytes();
  }

  /** The costs of other nodes so far, of the thread that has the turn; none if none is served. */
  Optional<PeerCost> costOfNodes() {
    return nodesServed
        ? Optional.of(
            new PeerCost(
                workers.waitedForNodesNanos(),
                peers.answeredNanos(actor),
                actor.stoppedNanos(),
                peers.silentPeers(actor),
                peers.askedAgain(actor)))
        : Optional.empty();
  }
}
