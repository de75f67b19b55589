package io.cairn.spark.executor;

import io.cairn.core.model.Member;
import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.engine.coordination.Coordination;
import io.cairn.spark.exchange.Exchange;
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
 * Reaches coordinators in the driver: one thread per executor sends what its ranks have to say and
 * fetches what waits for them, at once when there is something to say and else every {@value
 * #FETCH_MILLIS} ms while ranks are connected. What the driver did not answer is sent again under
 * the same number, and what it said is acknowledged, so that a lost answer loses and repeats
 * nothing. Thread-safe.
 */
public final class RemoteCoordination implements Coordination, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteCoordination.class);
  private static final long FETCH_MILLIS = 50;
  private static final long RETRY_MILLIS = 1000;
  private static final long CLOSE_SECONDS = 3;
  private static final int MAX_BATCH = 10_000;

  /** Asks the driver and waits for its answer. */
  @FunctionalInterface
  public interface Driver {
    /** The reply to a request. */
    byte[] ask(byte[] request) throws Exception;
  }

  private final String executor;
  private final String node;
  private final Driver driver;
  private final BlockingQueue<Exchange.ToCoordinator> outgoing = new LinkedBlockingQueue<>();
  private final Map<String, Consumer<CoordinatorMessage>> inboxes = new ConcurrentHashMap<>();
  private final List<Exchange.NodeCopy> inventory;
  private final String topology;
  private final Thread thread;
  private volatile boolean closing;
  private volatile boolean closed;
  private long requests;
  private long received;

  /**
   * Starts it.
   *
   * @param inventory what this node holds; reported with the first request
   * @param topology what the machine says of its devices; likewise
   */
  public RemoteCoordination(
      String executor,
      String node,
      List<Exchange.NodeCopy> inventory,
      String topology,
      Driver driver) {
    this.topology = topology;
    this.executor = executor;
    this.node = node;
    this.inventory = List.copyOf(inventory);
    this.driver = driver;
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
      outgoing.add(new Exchange.ToCoordinator(member.group(), member.size(), incarnation, message));
    }

    @Override
    public void close() {
      inboxes.remove(incarnation);
    }
  }

  private void run() {
    try {
      exchange(List.of(), inventory, topology);
      while (!closed && !(closing && outgoing.isEmpty())) {
        List<Exchange.ToCoordinator> batch = nextBatch();
        if (!batch.isEmpty() || !inboxes.isEmpty()) {
          exchange(batch, List.of(), "");
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private List<Exchange.ToCoordinator> nextBatch() throws InterruptedException {
    List<Exchange.ToCoordinator> batch = new ArrayList<>();
    Exchange.ToCoordinator first = outgoing.poll(FETCH_MILLIS, TimeUnit.MILLISECONDS);
    if (first != null) {
      batch.add(first);
      outgoing.drainTo(batch, MAX_BATCH);
    }
    return batch;
  }

  private void exchange(
      List<Exchange.ToCoordinator> batch, List<Exchange.NodeCopy> copies, String said)
      throws InterruptedException {
    byte[] request =
        Exchange.encode(
            new Exchange.Request(executor, ++requests, received, node, batch, copies, said));
    boolean warned = false;
    while (!closed) {
      try {
        Exchange.Reply reply = Exchange.decodeReply(driver.ask(request));
        reply.after(received).forEach(this::deliver);
        received = Math.max(received, reply.last());
        return;
      } catch (InterruptedException e) {
        throw e;
      } catch (Exception e) {
        if (!warned) {
          LOG.warn("The driver does not answer; messages wait: {}", e.toString());
          warned = true;
        }
        TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
      }
    }
  }

  private void deliver(Exchange.ToMember in) {
    Consumer<CoordinatorMessage> inbox = inboxes.get(in.incarnation());
    if (inbox != null) {
      try {
        inbox.accept(in.message());
      } catch (RuntimeException e) {
        LOG.error("{} could not be handled", in, e);
      }
    }
  }

  /** Ends it, after what the ranks have said was sent or some seconds have passed. */
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
