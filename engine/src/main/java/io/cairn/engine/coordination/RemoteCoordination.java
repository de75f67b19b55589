package io.cairn.engine.coordination;

import io.cairn.Level;
import io.cairn.Member;
import io.cairn.Outcome;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.threads.DaemonThreads;
import io.cairn.core.wire.ExchangeReply.ToMember;
import io.cairn.core.wire.ExchangeRequest;
import io.cairn.core.wire.ExchangeRequest.ToCoordinator;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reaches coordinators in another process. One thread exchanges the messages of this process's
 * ranks, as {@link ExchangeLoop} says. Nothing is sent while no rank is connected. Thread-safe; no
 * method but {@link #close} waits.
 */
public final class RemoteCoordination implements Coordination, AutoCloseable {
  /*
   * Another server
   *
   * A server that began later answers Unregistered. Its coordinators know no members. So every
   * member here is fenced, which its rank mends by joining again. A join that waits is sent again,
   * and so is that of a member whose group has not agreed yet where to resume from.
   *
   * Bounds
   *
   * Messages wait in one queue while the server does not answer. Checkpoints continue, so only
   * Held and GaveUp can accumulate. From MOST_HELD messages on, the queue refuses Held: the
   * rank's ticket fails at that level, and a GaveUp takes the message's place, so that the other
   * ranks do not wait. From MOST_WAITING messages on, it refuses the rest too. A level is sealed
   * only by the coordinator, so nothing that was reported as sealed is lost by a refusal.
   */

  /** Messages that wait before Held is refused. */
  static final int MOST_HELD = 10_000;

  /** Messages that wait before every message is refused. */
  static final int MOST_WAITING = 2 * MOST_HELD;

  private static final Logger LOG = LoggerFactory.getLogger(RemoteCoordination.class);
  private static final long CLOSE_SECONDS = 3;

  private static final String REFUSAL =
      "too many messages wait for the coordinator, which does not answer";

  /** In the order in which they were made; iterated as a copy. */
  private final Map<String, RemoteLink> links = Collections.synchronizedMap(new LinkedHashMap<>());

  private final ExchangeLoop loop;
  private final Thread thread;

  /**
   * Starts the exchange.
   *
   * @param process unique among the processes of the groups
   * @param node the machine and its node directory; sent with the first request
   * @param topology links of the machine's devices, empty if unknown; likewise
   */
  public RemoteCoordination(String process, String node, String topology, Exchange exchange) {
    this(process, node, topology, exchange, Waits.REAL, DaemonThreads.named("cairn-exchange"));
  }

  /**
   * Like the other constructor, on a thread that waits in its own way.
   *
   * @param waits the waits of the thread
   * @param threads makes the thread
   */
  public RemoteCoordination(
      String process,
      String node,
      String topology,
      Exchange exchange,
      Waits waits,
      ThreadFactory threads) {
    this.loop =
        new ExchangeLoop(
            new ExchangeRequest.Register(process, 1, node, topology),
            exchange,
            new Ranks(),
            waits,
            MOST_WAITING);
    this.thread = threads.newThread(loop);
    thread.start();
  }

  @Override
  public Link connect(Member member, String incarnation, Consumer<CoordinatorMessage> inbox) {
    RemoteLink link = new RemoteLink(member, incarnation, inbox);
    links.put(incarnation, link);
    return link;
  }

  /** Whether ranks of this process have joined, and not left. */
  boolean hasRanks() {
    return !links.isEmpty();
  }

  private final class RemoteLink implements Link {
    private final Member member;
    private final String incarnation;
    private final Consumer<CoordinatorMessage> inbox;

    /** The join, until it is answered. */
    private volatile MemberMessage.@Nullable Join joining;

    /** Of the member's epoch; 0 before the first. */
    private volatile long epoch;

    private volatile boolean resumed;

    RemoteLink(Member member, String incarnation, Consumer<CoordinatorMessage> inbox) {
      this.member = member;
      this.incarnation = incarnation;
      this.inbox = inbox;
    }

    @Override
    public void send(MemberMessage message) {
      if (message instanceof MemberMessage.Join join) {
        joining = join;
      }
      boolean refused = message instanceof MemberMessage.Held && loop.waiting() >= MOST_HELD;
      if (refused || !offer(message)) {
        refuse(message, REFUSAL);
      }
    }

    private boolean offer(MemberMessage message) {
      return loop.offer(new ToCoordinator(member.group(), member.size(), incarnation, message));
    }

    private void refuse(MemberMessage message, String reason) {
      // the ticket, or the waiting rank, receives the refusal, which is logged there
      LOG.debug("{} cannot send {}: {}", member, message, reason);
      if (message instanceof MemberMessage.Held held) {
        offer(
            new MemberMessage.GaveUp(
                held.rank(),
                held.epoch(),
                held.iteration(),
                held.level(),
                MemberMessage.GaveUp.Why.FAILED,
                reason));
        fail(held.epoch(), held.iteration(), held.level(), reason);
      } else if (message instanceof MemberMessage.GaveUp gaveUp) {
        fail(gaveUp.epoch(), gaveUp.iteration(), gaveUp.level(), reason);
      } else {
        receive(new CoordinatorMessage.Refused(reason));
      }
    }

    private void fail(long epoch, long iteration, Level level, String reason) {
      receive(new CoordinatorMessage.Settled(epoch, iteration, level, new Outcome.Failed(reason)));
    }

    /** Another server took the coordinator's place. */
    private void startOver() {
      MemberMessage.Join join = joining;
      if (resumed) {
        receive(new CoordinatorMessage.Fenced("its coordinator has ended, and another one began"));
      } else if (join != null) {
        send(join.above(epoch));
      }
    }

    /** A join that waits cannot be answered, for this reason. */
    private void refuseJoin(String reason) {
      if (joining != null && epoch == 0) {
        receive(new CoordinatorMessage.Refused(reason));
      }
    }

    @Override
    public boolean isAbandoned() {
      return loop.isAbandoned();
    }

    @Override
    public Optional<String> trouble() {
      return loop.trouble();
    }

    private void receive(CoordinatorMessage message) {
      if (message instanceof CoordinatorMessage.Joined welcome) {
        epoch = welcome.epoch();
      } else if (message instanceof CoordinatorMessage.Resume) {
        resumed = true;
      }
      try {
        inbox.accept(message);
      } catch (RuntimeException | Error e) {
        LOG.error("{} could not handle {}", member, message, e);
      }
    }

    @Override
    public void close() {
      links.remove(incarnation);
    }
  }

  /** The ranks of this process, as the exchange knows them. */
  private final class Ranks implements ExchangeLoop.Ranks {
    @Override
    public boolean connected() {
      return hasRanks();
    }

    @Override
    public void deliver(ToMember sent) {
      RemoteLink link = links.get(sent.incarnation());
      if (link != null) {
        link.receive(sent.message());
      }
    }

    @Override
    public void startOver() {
      List.copyOf(links.values()).forEach(RemoteLink::startOver);
    }

    @Override
    public void refuseJoins(String reason) {
      List.copyOf(links.values()).forEach(link -> link.refuseJoin(reason));
    }

    @Override
    public void refuse(ToCoordinator sent, String reason) {
      RemoteLink link = links.get(sent.incarnation());
      if (link != null) {
        link.refuse(sent.message(), reason);
      }
    }
  }

  /** Ends the exchange when all waiting messages were sent, or after {@value #CLOSE_SECONDS} s. */
  @Override
  public void close() {
    loop.end(false);
    try {
      thread.join(TimeUnit.SECONDS.toMillis(CLOSE_SECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    loop.end(true);
    thread.interrupt();
  }
}
