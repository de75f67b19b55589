package io.cairn.spark.executor;

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
import io.cairn.engine.coordination.Coordination;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reaches coordinators in the driver. One thread per executor sends the messages of its ranks and
 * fetches their answers: at once when a message waits, else every {@value #FETCH_MILLIS} ms while
 * ranks are connected. Thread-safe; no method but {@link #close} waits.
 */
public final class RemoteCoordination implements Coordination, AutoCloseable {
  /*
   * Delivery
   *
   * A request that the driver did not answer is sent again under the same number, and the driver's
   * messages are acknowledged by number. So a lost answer loses and repeats nothing.
   *
   * Bounds
   *
   * Messages wait in one queue while the driver does not answer. Checkpoints continue, so only
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
  private static final long CLOSE_SECONDS = 3;
  private static final int MAX_BATCH = 10_000;
  private static final String REFUSAL =
      "too many messages wait for the driver, which does not answer";

  /** Asks the driver and waits for its answer. */
  @FunctionalInterface
  public interface Driver {
    /** The reply to a request. */
    byte[] ask(byte[] request) throws Exception;
  }

  private final String executor;
  private final Driver driver;
  private final BlockingQueue<ToCoordinator> outgoing = new LinkedBlockingQueue<>(MOST_WAITING);
  private final Map<String, Consumer<CoordinatorMessage>> inboxes = new ConcurrentHashMap<>();
  private final ExchangeRequest.Register registration;
  private final Thread thread;
  private volatile boolean closing;
  private volatile boolean closed;

  /** Number of the last request; the exchange thread's alone, as is the next. */
  private long requests;

  private long received;

  /**
   * Starts the exchange.
   *
   * @param node the machine and directory that the inventory is about
   * @param inventory everything at NODE there; sent with the first request
   * @param topology links of the machine's devices, empty if unknown; likewise
   */
  public RemoteCoordination(
      String executor, String node, List<NodeCopy> inventory, String topology, Driver driver) {
    this.executor = executor;
    this.driver = driver;
    this.registration =
        new ExchangeRequest.Register(executor, ++requests, node, inventory, topology);
    this.thread = new Thread(this::run, "cairn-exchange");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public Link connect(Member member, String incarnation, Consumer<CoordinatorMessage> inbox) {
    inboxes.put(incarnation, inbox);
    return new RemoteLink(member, incarnation);
  }

  private final class RemoteLink implements Link {
    private final Member member;
    private final String incarnation;

    RemoteLink(Member member, String incarnation) {
      this.member = member;
      this.incarnation = incarnation;
    }

    @Override
    public void send(MemberMessage message) {
      boolean refused = message instanceof MemberMessage.Held && outgoing.size() >= MOST_HELD;
      if (refused || !offer(message)) {
        refuse(message);
      }
    }

    private boolean offer(MemberMessage message) {
      return outgoing.offer(new ToCoordinator(member.group(), member.size(), incarnation, message));
    }

    private void refuse(MemberMessage message) {
      LOG.warn("{} cannot send {}: {}", member, message, REFUSAL);
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

    private void receive(CoordinatorMessage message) {
      deliver(new ToMember(incarnation, message));
    }

    @Override
    public void close() {
      inboxes.remove(incarnation);
    }
  }

  private void run() {
    try {
      exchange(registration);
      while (!closed && !(closing && outgoing.isEmpty())) {
        List<ToCoordinator> batch = nextBatch();
        if (!batch.isEmpty() || !inboxes.isEmpty()) {
          exchange(new ExchangeRequest.Send(executor, ++requests, received, batch));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private List<ToCoordinator> nextBatch() throws InterruptedException {
    List<ToCoordinator> batch = new ArrayList<>();
    ToCoordinator first = outgoing.poll(FETCH_MILLIS, TimeUnit.MILLISECONDS);
    if (first != null) {
      batch.add(first);
      outgoing.drainTo(batch, MAX_BATCH);
    }
    return batch;
  }

  /** Sends a request until the driver answers. */
  private void exchange(ExchangeRequest request) throws InterruptedException {
    byte[] bytes = Wire.encode(request);
    boolean warned = false;
    while (!closed) {
      try {
        receive(Wire.decodeExchangeReply(driver.ask(bytes)));
        return;
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception e) {
        if (!warned) {
          LOG.warn("The driver does not answer; messages wait", e);
          warned = true;
        }
        TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
      }
    }
  }

  private void receive(ExchangeReply reply) {
    if (reply instanceof ExchangeReply.Messages messages) {
      messages.after(received).forEach(this::deliver);
      received = Math.max(received, messages.last());
    } else if (!(reply instanceof ExchangeReply.Registered)) {
      throw new IllegalArgumentException("no known reply of the driver: " + reply);
    }
  }

  private void deliver(ToMember sent) {
    Consumer<CoordinatorMessage> inbox = inboxes.get(sent.incarnation());
    if (inbox != null) {
      try {
        inbox.accept(sent.message());
      } catch (RuntimeException e) {
        LOG.error("{} could not be handled", sent, e);
      }
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
