package io.cairn.lab.study.cluster;

import io.cairn.CairnEvent;
import io.cairn.Checkpointer;
import io.cairn.Member;
import io.cairn.Outcome;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.engine.coordination.RemoteCoordination;
import io.cairn.engine.promotion.NodeDirectory;
import io.cairn.engine.promotion.Uptime;
import io.cairn.engine.runtime.CairnEngine;
import io.cairn.engine.runtime.Environment;
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
  private final Optional<PeerNetwork> nodes;
  private final CairnEngine cairn;

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
    this.workers = new SimulatedWorkers(turns, actor, settings.staged());
    this.nodes = ways.nodes();
    ProcessMemory memory = new ProcessMemory(places.device());
    actor.atDeath(memory::close);
    try {
      this.cairn = CairnEngine.open(settings.config(), environment(places, memory));
      cairn.addObserver(this::note);
      cairn.run("run");
      if (nodes.isPresent()) {
        cairn.joinNodes(actor.name(), boot(), PeerNetwork.DESK, nodes.get().from(actor, machine));
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
      nodes.orElseThrow().staged();
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
    return nodes.map(
        network ->
            new PeerCost(
                workers.waitedForNodesNanos(),
                network.answeredNanos(actor),
                actor.stoppedNanos(),
                network.silentPeers(actor),
                network.askedAgain(actor)));
  }
}
