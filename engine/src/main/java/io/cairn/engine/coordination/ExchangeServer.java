package io.cairn.engine.coordination;

import io.cairn.core.model.GroupId;
import io.cairn.core.wire.ExchangeReply;
import io.cairn.core.wire.ExchangeRequest;
import io.cairn.core.wire.Wire;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Hosts the coordinators of coupled groups for ranks in other processes, and answers the requests
 * of their {@link RemoteCoordination}. It only files requests and fetches replies; its hosts work
 * on threads of their own. Thread-safe; no method waits.
 */
public final class ExchangeServer {
  /** The process that asked least recently is forgotten; it registers again if it still asks. */
  private static final int MOST_PROCESSES = 100_000;

  /** A process that asked within this time counts as alive. */
  private static final long RECENT_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final HostFactory factory;
  private final Consumer<ExchangeRequest> arrivals;
  private final LongSupplier nanoTime;
  private final Mailboxes mailboxes = new Mailboxes();
  private final Map<GroupId, GroupHost> hosts = new HashMap<>();
  private final Map<String, Handled> processes =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Handled> eldest) {
          return size() > MOST_PROCESSES;
        }
      };

  /** The number and the time of a process's last request. */
  private record Handled(long number, long nanos) {}

  /**
   * A server without groups.
   *
   * @param arrivals receives each request once, before it is handled
   * @param nanoTime the clock, as {@link System#nanoTime}
   */
  public ExchangeServer(
      HostFactory factory, Consumer<ExchangeRequest> arrivals, LongSupplier nanoTime) {
    this.factory = factory;
    this.arrivals = arrivals;
    this.nanoTime = nanoTime;
  }

  /**
   * Answers one request. A repeated request is answered again and handled once. A process that this
   * server does not know receives {@link ExchangeReply.Unregistered}, unless the request is its
   * first one.
   *
   * @throws IllegalArgumentException if the bytes are no request
   */
  public byte[] answer(byte[] bytes) {
    ExchangeRequest request = Wire.decodeExchangeRequest(bytes);
    synchronized (this) {
      return Wire.encode(answer(request));
    }
  }

  private ExchangeReply answer(ExchangeRequest request) {
    Handled before = processes.get(request.executor());
    boolean first = request instanceof ExchangeRequest.Register || request.number() == 1;
    if (before == null && !first) {
      return new ExchangeReply.Unregistered();
    }
    long handled = before == null ? 0 : before.number();
    if (request.number() > handled) {
      arrivals.accept(request);
      handle(request);
    }
    processes.put(
        request.executor(), new Handled(Math.max(handled, request.number()), nanoTime.getAsLong()));
    return reply(request);
  }

  private void handle(ExchangeRequest request) {
    if (request instanceof ExchangeRequest.Send send) {
      for (ExchangeRequest.ToCoordinator sent : send.messages()) {
        mailboxes.locate(sent.incarnation(), send.executor());
        host(sent.group(), sent.size()).on(sent.message());
      }
    }
  }

  private ExchangeReply reply(ExchangeRequest request) {
    if (request instanceof ExchangeRequest.Register) {
      return new ExchangeReply.Registered();
    } else if (request instanceof ExchangeRequest.Send send) {
      return mailboxes.fetch(send.executor(), send.received());
    }
    throw new IllegalArgumentException("no known request: " + request);
  }

  private GroupHost host(GroupId group, int size) {
    return hosts.computeIfAbsent(
        group,
        unknown ->
            factory.host(
                unknown,
                size,
                (rank, incarnation, message) -> mailboxes.put(incarnation, message)));
  }

  /** Whether a process that asked a moment ago has messages to fetch. */
  synchronized boolean owesMessages() {
    long now = nanoTime.getAsLong();
    return processes.entrySet().stream()
        .filter(process -> now - process.getValue().nanos() < RECENT_NANOS)
        .anyMatch(process -> mailboxes.hasMessages(process.getKey()));
  }
}
