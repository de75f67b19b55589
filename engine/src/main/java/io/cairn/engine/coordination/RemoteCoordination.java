package io.cairn.engine.coordination;

import io.cairn.core.model.Level;
import io.cairn.core.model.Member;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.session.Outcome;
import io.cairn.core.wire.ExchangeReply;
import io.cairn.core.wire.ExchangeReply.ToMember;
import io.cairn.core.wire.ExchangeRequest;
import io.cairn.core.wire.ExchangeRequest.NodeCopy;
import io.cairn.core.wire.ExchangeRequest.ToCoordinator;
import io.cairn.core.wire.Wire;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reaches coordinators in another process. One thread sends the messages of this process's ranks
 * and fetches their answers: at once when a message waits, else every {@value #FETCH_MILLIS} ms
 * while ranks are connected. Thread-safe; no method but {@link #close} waits.
 */
public final class RemoteCoordination implements Coordination, AutoCloseable {
  /*
   * Delivery
   *
   * A request that the server did not answer is sent again under the same number, and the server's
   * messages are acknowledged by number. So a lost answer loses and repeats nothing.
   *
   * Another server
   *
   * A server that began later answers Unregistered. Its coordinators know no members. So every
   * member here is fenced, which its rank mends by joining again. A join that waits is sent again.
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
  private static final long FETCH_MILLIS = 50;
  private static final long RETRY_MILLIS = 1000;

  /** Failed tries between two warnings. */
  private static final int WARNED_EVERY = 60;

  private static final long CLOSE_SECONDS = 3;

  /** Bounds the bytes of a request. */
  private static final int MAX_BATCH = 1000;

  private static final String REFUSAL =
      "too many messages wait for the coordinator, which does not answer";

  private final String process;
  private final Exchange exchange;
  private final BlockingQueue<ToCoordinator> outgoing = new LinkedBlockingQueue<>(MOST_WAITING);

  /** In the order in which they were made; iterated as a copy. */
  private final Map<String, RemoteLink> links = Collections.synchronizedMap(new LinkedHashMap<>());

  private final ExchangeRequest.Register registration;
  private final Waits waits;
  private final Thread thread;
  private volatile boolean closing;
  private volatile boolean closed;

  /** Whether the last request found nobody at the coordinator's address. */
  private volatile boolean abandoned;

  /** Number of the last request; the exchange thread's alone, as is the next. */
  private long requests;

  private long received;

  /**
   * Starts the exchange.
   *
   * @param process unique among the processes of the groups
   * @param node the machine and directory that the inventory is about
   * @param inventory everything at NODE there; sent with the first request
   * @param topology links of the machine's devices, empty if unknown; likewise
   */
  public RemoteCoordination(
      String process, String node, List<NodeCopy> inventory, String topology, Exchange exchange) {
    this(process, node, inventory, topology, exchange, Waits.REAL, Thread::new);
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
      List<NodeCopy> inventory,
      String topology,
      Exchange exchange,
      Waits waits,
      ThreadFactory threads) {
    this.process = process;
    this.exchange = exchange;
    this.waits = waits;
    this.registration =
        new ExchangeRequest.Register(process, ++requests, node, inventory, topology);
    this.thread = threads.newThread(this::run);
    thread.setName("cairn-exchange");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public Link connect(Member member, String incarnation, Consumer<CoordinatorMessage> inbox) {
    RemoteLink link = new RemoteLink(member, incarnation, inbox);
    links.put(incarnation, link);
    return link;
  }

  private final class RemoteLink implements Link {
    private final Member member;
    private final String incarnation;
    private final Consumer<CoordinatorMessage> inbox;

    /** The join, until it is answered. */
    private volatile @Nullable MemberMessage joining;

    private volatile boolean joined;

    RemoteLink(Member member, String incarnation, Consumer<CoordinatorMessage> inbox) {
      this.member = member;
      this.incarnation = incarnation;
      this.inbox = inbox;
    }

    @Override
    public void send(MemberMessage message) {
      if (message instanceof MemberMessage.Join) {
        joining = message;
      }
      boolean refused = message instanceof MemberMessage.Held && outgoing.size() >= MOST_HELD;
      if (refused || !offer(message)) {
        refuse(message);
      }
    }

    private boolean offer(MemberMessage message) {
      return outgoing.offer(new ToCoordinator(member.group(), member.size(), incarnation, message));
    }

    private void refuse(MemberMessage message) {
      // the ticket, or the waiting rank, receives the refusal, which is logged there
      LOG.debug("{} cannot send {}: {}", member, message, REFUSAL);
      if (message instanceof MemberMessage.Held held) {
        offer(
            new MemberMessage.GaveUp(
                held.rank(), held.epoch(), held.iteration(), held.level(), true, REFUSAL));
        fail(held.epoch(), held.iteration(), held.level());
      } else if (message instanceof MemberMessage.GaveUp gaveUp) {
        fail(gaveUp.epoch(), gaveUp.iteration(), gaveUp.level());
      } else {
        receive(new CoordinatorMessage.Refused(REFUSAL));
      }
    }

    private void fail(long epoch, long iteration, Level level) {
      receive(new CoordinatorMessage.Settled(epoch, iteration, level, new Outcome.Failed(REFUSAL)));
    }

    /** Another server took the coordinator's place. */
    private void startOver() {
      MemberMessage join = joining;
      if (joined) {
        receive(new CoordinatorMessage.Fenced("its coordinator has ended, and another one began"));
      } else if (join != null) {
        send(join);
      }
    }

    /** A join that waits cannot be answered, for this reason. */
    private void refuseJoin(String reason) {
      if (joining != null && !joined) {
        receive(new CoordinatorMessage.Refused(reason));
      }
    }

    @Override
    public boolean isAbandoned() {
      return abandoned;
    }

    private void receive(CoordinatorMessage message) {
      if (message instanceof CoordinatorMessage.Joined) {
        joined = true;
      }
      try {
        inbox.accept(message);
      } catch (RuntimeException e) {
        LOG.error("{} could not handle {}", member, message, e);
      }
    }

    @Override
    public void close() {
      links.remove(incarnation);
    }
  }

  private void run() {
    try {
      exchange(registration);
      while (!closed && !(closing && outgoing.isEmpty())) {
        List<ToCoordinator> batch = nextBatch();
        if (!batch.isEmpty() || !links.isEmpty()) {
          exchange(new ExchangeRequest.Send(process, ++requests, received, batch));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private List<ToCoordinator> nextBatch() throws InterruptedException {
    List<ToCoordinator> batch = new ArrayList<>();
    ToCoordinator first = waits.poll(outgoing, FETCH_MILLIS);
    if (first != null) {
      batch.add(first);
      outgoing.drainTo(batch, MAX_BATCH);
    }
    return batch;
  }

  /** Sends a request until the server answers. */
  private void exchange(ExchangeRequest request) throws InterruptedException {
    byte[] bytes = Wire.encode(request);
    for (int failed = 0; !closed; failed++) {
      try {
        byte[] reply = exchange.ask(bytes);
        abandoned = false;
        receive(Wire.decodeExchangeReply(reply));
        return;
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception e) {
        if (closing && e instanceof ConnectException) {
          closed = true; // nobody is left to send to
          return;
        }
        abandoned = e instanceof ConnectException;
        if (e instanceof UnprovenException) {
          String reason = String.valueOf(e.getMessage());
          List.copyOf(links.values()).forEach(link -> link.refuseJoin(reason));
        }
        if (failed % WARNED_EVERY == 0) {
          LOG.warn("The coordinator does not answer; messages wait", e);
        }
        waits.sleep(RETRY_MILLIS);
      }
    }
  }

  private void receive(ExchangeReply reply) throws InterruptedException {
    if (reply instanceof ExchangeReply.Messages messages) {
      messages.after(received).forEach(this::deliver);
      received = Math.max(received, messages.last());
    } else if (reply instanceof ExchangeReply.Unregistered) {
      startOver();
    } else if (!(reply instanceof ExchangeReply.Registered)) {
      throw new IllegalArgumentException("no known reply: " + reply);
    }
  }

  private void startOver() throws InterruptedException {
    LOG.warn("The coordinator has ended, and another one began; ranks here join it again");
    received = 0;
    exchange(
        new ExchangeRequest.Register(
            process,
            ++requests,
            registration.node(),
            registration.inventory(),
            registration.topology()));
    List.copyOf(links.values()).forEach(RemoteLink::startOver);
  }

  private void deliver(ToMember sent) {
    RemoteLink link = links.get(sent.incarnation());
    if (link != null) {
      link.receive(sent.message());
    }
  }

  /** Ends the exchange when all waiting messages were sent, or after {@value #CLOSE_SECONDS} s. */
  @Override
  public void close() {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(CLOSE_SECONDS);
    closing = true;
    try {
      while (thread.isAlive() && System.nanoTime() < end) {
        thread.join(FETCH_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    closed = true;
    thread.interrupt();
  }
}
