package io.cairn.lab.bench.scale;

import io.cairn.GroupId;
import io.cairn.Level;
import io.cairn.Member;
import io.cairn.Outcome;
import io.cairn.core.cadence.Measurement;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerLimits;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.protocol.Origin;
import io.cairn.engine.coordination.Coordination;
import io.cairn.engine.coordination.RemoteCoordination;
import io.cairn.engine.net.TcpPeerClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** An executor's ranks: their messages, over a connection of their own, without any data. */
final class SimulatedExecutor implements AutoCloseable {
  private static final PeerLimits LIMITS =
      new PeerLimits(
          PeerLimits.DEFAULT.connect(),
          PeerLimits.DEFAULT.answer(),
          PeerLimits.DEFAULT.push(),
          PeerLimits.DEFAULT.windowBytes(),
          PeerLimits.DEFAULT.maxWaiting(),
          1,
          1);

  private final TcpPeerClient client = new TcpPeerClient(ScaleDriver.SECRET, LIMITS);
  private final RemoteCoordination coordination;
  private final List<Rank> ranks = new ArrayList<>();

  /** Receives the messages of the ranks; called on the executor's own thread. */
  interface Listener {
    /** A rank goes on from nothing. */
    void resumed();

    /** An iteration is sealed at DEVICE, as one rank knows. */
    void settled(long iteration);

    /** A rank received something that ends the measurement. */
    void failed(String reason);
  }

  /** One rank; its epoch is known once it has joined. */
  private static final class Rank {
    private final int number;
    private final Coordination.Link link;
    private volatile long epoch;

    Rank(int number, Coordination.Link link) {
      this.number = number;
      this.link = link;
    }
  }

  SimulatedExecutor(String name, PeerAddress driver) throws IOException {
    coordination = new RemoteCoordination(name, name, "", request -> client.ask(driver, request));
  }

  /** Joins ranks {@code first} to {@code first + count - 1}. */
  void join(GroupId group, int size, int first, int count, Origin origin, Listener listener) {
    for (int number = first; number < first + count; number++) {
      int own = number - first;
      String incarnation = "rank-" + number;
      Coordination.Link link =
          coordination.connect(
              new Member(group, number, size),
              incarnation,
              message -> receive(ranks.get(own), message, listener));
      ranks.add(new Rank(number, link));
      link.send(new MemberMessage.Join(number, size, incarnation, origin));
    }
  }

  private static void receive(Rank rank, CoordinatorMessage message, Listener listener) {
    if (message instanceof CoordinatorMessage.Joined joined) {
      rank.epoch = joined.epoch();
      rank.link.send(new MemberMessage.Offer(rank.number, joined.epoch(), List.of()));
    } else if (message instanceof CoordinatorMessage.Resume) {
      listener.resumed();
    } else if (message instanceof CoordinatorMessage.Settled settled) {
      if (settled.outcome() instanceof Outcome.Sealed) {
        listener.settled(settled.iteration());
      } else {
        listener.failed(settled.toString());
      }
    } else {
      listener.failed(message.toString());
    }
  }

  /** Reports that every rank here has captured an iteration. */
  void captured(long iteration) {
    for (Rank rank : ranks) {
      rank.link.send(
          new MemberMessage.Held(
              rank.number, rank.epoch, iteration, Level.DEVICE, List.of(), Measurement.NONE));
    }
  }

  @Override
  public void close() {
    ranks.forEach(rank -> rank.link.close());
    coordination.close();
    client.close();
  }
}
