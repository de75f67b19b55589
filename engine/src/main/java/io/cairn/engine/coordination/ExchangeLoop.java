package io.cairn.engine.coordination;

import io.cairn.core.peer.PeerException;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.threads.DaemonThreads;
import io.cairn.core.wire.ExchangeReply;
import io.cairn.core.wire.ExchangeReply.ToMember;
import io.cairn.core.wire.ExchangeRequest;
import io.cairn.core.wire.ExchangeRequest.ToCoordinator;
import io.cairn.core.wire.Wire;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The exchange of one process with its server. One thread sends messages in their order, those that
 * wait in one request, and keeps one request open by which the server sends its own. {@link
 * #offer}, {@link #waiting} and {@link #end} are thread-safe and return at once; the rest is the
 * thread's.
 */
final class ExchangeLoop implements Runnable {
  /*
   * Delivery
   *
   * A request with messages that the server did not answer is sent again under the same number, and
   * the server's messages are acknowledged by number. So a lost answer loses and repeats nothing.
   *
   * The open request
   *
   * A Fetch is answered when the server has messages. It is sent only while ranks are connected,
   * and again after ASK_AGAIN, which also answers the one before. A Fetch whose answer is lost
   * costs nothing: the answer to the next request has the same messages.
   *
   * Bounds
   *
   * The server refuses a longer request than the service takes, however often it comes. So messages
   * that are too long for one request go in several, and one that is too long for any is refused.
   */

  /** The ranks of the process. The loop's thread calls them. */
  interface Ranks {
    /** Whether messages for ranks here may come. */
    boolean connected();

    /** Delivers a message of the server. */
    void deliver(ToMember message);

    /** Another server took the place of the one that knew the ranks. */
    void startOver();

    /** Nothing that is sent arrives, for this reason; no later try helps. */
    void refuseJoins(String reason);

    /** A message is never sent, for this reason. */
    void refuse(ToCoordinator message, String reason);
  }

  private static final Logger LOG = LoggerFactory.getLogger(ExchangeLoop.class);
  private static final long ASK_AGAIN_MILLIS = ExchangeServer.LONGEST_HOLD.toMillis();
  private static final long LONGEST_ANSWER_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final long RETRY_MILLIS = 1000;

  /** Tries without a connection after which nobody is left: each takes a second or longer. */
  static final int GONE_TRIES = 3;

  /** Failed tries between two warnings. */
  private static final int WARNED_EVERY = 60;

  /** Messages that are encoded at once. */
  private static final int MAX_BATCH = 500;

  private final ExchangeRequest.Register registration;
  private final Exchange exchange;
  private final Ranks ranks;
  private final Waits waits;

  /** Messages in their order; an empty element wakes the thread. */
  private final BlockingQueue<Optional<ToCoordinator>> outgoing;

  private volatile boolean ending;
  private volatile boolean ended;

  /** Whether nobody is left at the coordinator's address, as far as its last requests tell. */
  private volatile boolean abandoned;

  /** Why the last request was not answered; empty if it was. */
  private volatile Optional<String> trouble = Optional.empty();

  /** Number of the last request that counts; the thread's alone, as are the next four. */
  private long requests;

  /** Number of the last registration. */
  private long registered;

  private long received;
  private int failures;

  /** The open request, until its answer is handled. */
  private @Nullable CompletableFuture<byte[]> fetch;

  /**
   * Sends nothing before it runs.
   *
   * @param registration the first request, numbered 1
   * @param mostWaiting messages that may wait
   */
  ExchangeLoop(
      ExchangeRequest.Register registration,
      Exchange exchange,
      Ranks ranks,
      Waits waits,
      int mostWaiting) {
    this.registration = registration;
    this.requests = registration.number();
    this.registered = registration.number();
    this.exchange = exchange;
    this.ranks = ranks;
    this.waits = waits;
    this.outgoing = new LinkedBlockingQueue<>(mostWaiting);
  }

  /** Queues a message; false if too many wait. */
  boolean offer(ToCoordinator message) {
    return outgoing.offer(Optional.of(message));
  }

  /** The number of messages that wait. */
  int waiting() {
    return outgoing.size();
  }

  /** Whether the last request found nobody at the coordinator's address. */
  boolean isAbandoned() {
    return abandoned;
  }

  /** Why the last request was not answered; empty if it was, or none was made. */
  Optional<String> trouble() {
    return trouble;
  }

  /**
   * Ends the loop.
   *
   * @param now whether messages that wait are dropped; otherwise they are sent first
   */
  void end(boolean now) {
    ending = true;
    if (now) {
      ended = true;
    }
    wake();
  }

  private void wake() {
    var unused = outgoing.offer(Optional.empty()); // a full queue wakes its thread anyway
  }

  @Override
  public void run() {
    try {
      register(registration);
      while (!ended && !(ending && outgoing.isEmpty())) {
        boolean idle = sendNext();
        receiveFetched();
        fetchAgain(idle);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void register(ExchangeRequest.Register request) throws InterruptedException {
    exchange(Wire.encode(request));
    try {
      exchange.registered();
    } catch (RuntimeException | Error e) { // the ranks here wait for this thread
      LOG.error("The node of this process is not announced", e);
    }
  }

  /** Sends what waits; returns whether nothing happened for as long as an open request is held. */
  private boolean sendNext() throws InterruptedException {
    Optional<ToCoordinator> first = waits.poll(outgoing, ASK_AGAIN_MILLIS);
    if (first == null) {
      return true;
    }
    List<Optional<ToCoordinator>> next = new ArrayList<>(List.of(first));
    outgoing.drainTo(next, MAX_BATCH);
    List<ToCoordinator> batch = next.stream().flatMap(Optional::stream).toList();
    if (!batch.isEmpty()) {
      send(batch);
    }
    return false;
  }

  /** Sends messages in as many requests as their length needs. */
  private void send(List<ToCoordinator> batch) throws InterruptedException {
    byte[] request =
        Wire.encode(
            new ExchangeRequest.Send(registration.executor(), requests + 1, received, batch));
    if (request.length <= PeerTransport.MAX_MESSAGE_BYTES) {
      requests++;
      exchange(request);
    } else if (batch.size() == 1) {
      ranks.refuse(batch.get(0), tooLong(request.length));
    } else {
      int half = batch.size() / 2;
      send(batch.subList(0, half));
      send(batch.subList(half, batch.size()));
    }
  }

  private String tooLong(int bytes) {
    return String.format(
        Locale.ROOT,
        ("its message of %d bytes exceeds the %d bytes of a request to the coordinator; describe"
            + " the program by fewer entries, or keep fewer checkpoints"),
        bytes,
        PeerTransport.MAX_MESSAGE_BYTES);
  }

  /** Sends a request until the server answers. */
  private void exchange(byte[] bytes) throws InterruptedException {
    boolean answered = false;
    while (!answered && !ended) {
      CompletableFuture<byte[]> reply = ask(bytes);
      answered = waits.await(reply, LONGEST_ANSWER_NANOS) ? handle(reply) : failed(late());
    }
  }

  private static TimeoutException late() {
    return new TimeoutException("no reply within a minute");
  }

  private CompletableFuture<byte[]> ask(byte[] request) {
    try {
      return exchange.ask(request).toCompletableFuture();
    } catch (RuntimeException | OutOfMemoryError e) {
      return CompletableFuture.failedFuture(e);
    } catch (LinkageError e) { // the ranks here wait for this thread
      DaemonThreads.report("cairn-exchange", e);
      return CompletableFuture.failedFuture(e);
    }
  }

  private void receiveFetched() throws InterruptedException {
    CompletableFuture<byte[]> reply = fetch;
    if (reply == null || !reply.isDone()) {
      return;
    }
    fetch = null;
    boolean missed = ranks.connected() || !reply.isCompletedExceptionally();
    if (missed && !handle(reply)) {
      // answered at once, unlike the next open request, by a server that is back
      send(List.of());
    }
  }

  private void fetchAgain(boolean idle) {
    if (!ended && ranks.connected() && (fetch == null || idle)) {
      CompletableFuture<byte[]> asked =
          ask(
              Wire.encode(
                  new ExchangeRequest.Fetch(registration.executor(), registered, received)));
      fetch = asked;
      var unused = asked.whenComplete((reply, failure) -> wake());
    }
  }

  /** Handles a reply or its failure; returns whether it was a reply. */
  private boolean handle(CompletableFuture<byte[]> reply) throws InterruptedException {
    try {
      ExchangeReply decoded = Wire.decode(reply.join(), ExchangeReply.class);
      abandoned = false;
      trouble = Optional.empty();
      failures = 0;
      receive(decoded);
      return true;
    } catch (CompletionException e) {
      return failed(e.getCause() == null ? e : e.getCause());
    } catch (IllegalArgumentException | CancellationException | OutOfMemoryError e) {
      return failed(e);
    } catch (LinkageError e) {
      DaemonThreads.report("cairn-exchange", e);
      return failed(e);
    }
  }

  /** Waits before the next try; returns false. */
  private boolean failed(Throwable cause) throws InterruptedException {
    failures++;
    abandoned =
        isBy(cause, PeerException.Reason.UNREACHABLE)
            || (isBy(cause, PeerException.Reason.UNCONNECTED) && failures >= GONE_TRIES);
    trouble = Optional.of(cause.getMessage() == null ? cause.toString() : cause.getMessage());
    if (ending && abandoned) {
      ended = true; // nobody is left to send to
      return false;
    }
    if (isHopeless(cause)) {
      ranks.refuseJoins(String.valueOf(cause.getMessage()));
    }
    if (failures % WARNED_EVERY == 1) {
      LOG.warn("The coordinator does not answer; messages wait", cause);
    }
    waits.sleep(RETRY_MILLIS);
    return false;
  }

  /** Whether asking again does not help. */
  private static boolean isHopeless(Throwable cause) {
    return cause instanceof LinkageError
        || cause instanceof IllegalArgumentException // another version answers
        || isBy(cause, PeerException.Reason.UNPROVEN)
        || isBy(cause, PeerException.Reason.BROKEN);
  }

  private static boolean isBy(Throwable cause, PeerException.Reason reason) {
    return cause instanceof PeerException peer && peer.reason() == reason;
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

  /** A message that cannot be handled must not end the thread, which all ranks here depend on. */
  private void deliver(ToMember message) {
    try {
      ranks.deliver(message);
    } catch (RuntimeException | Error e) {
      LOG.error("A rank could not handle {}", message, e);
    }
  }

  private void startOver() throws InterruptedException {
    LOG.warn("The coordinator has ended, and another one began; ranks here join it again");
    received = 0;
    fetch = null;
    registered = ++requests;
    register(
        new ExchangeRequest.Register(
            registration.executor(), registered, registration.node(), registration.topology()));
    ranks.startOver();
  }
}
