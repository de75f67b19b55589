package io.cairn.engine.coordination;

import io.cairn.core.protocol.CoordinatorMessage;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.wire.ExchangeReply;
import io.cairn.core.wire.ExchangeRequest;
import io.cairn.core.wire.Wire;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hosts the coordinators of coupled groups for ranks in other processes, and answers the requests
 * of their {@link RemoteCoordination}. It only files requests and hands out messages; its hosts
 * work on threads of their own. Thread-safe; no method waits.
 */
public final class ExchangeServer {
  /** A process asks for messages again after this time, which ends the wait of its last request. */
  static final Duration LONGEST_HOLD = Duration.ofSeconds(5);

  private static final Logger LOG = LoggerFactory.getLogger(ExchangeServer.class);

  /** The process that asked least recently is forgotten; it registers again if it still asks. */
  private static final int MOST_PROCESSES = 100_000;

  /** A process with ranks that asks nothing for so long is forgotten likewise. */
  private static final long SILENT_NANOS = TimeUnit.HOURS.toNanos(1);

  /** A process that asked within this time counts as alive. */
  private static final long RECENT_NANOS = LONGEST_HOLD.plusSeconds(1).toNanos();

  private final Consumer<ExchangeRequest> arrivals;
  private final LongSupplier nanoTime;
  private final Mailboxes mailboxes = new Mailboxes();
  private final Hosts hosts;
  private final GroupHost.Outbox outbox = new Filing();
  private final Map<String, Handled> processes =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Handled> eldest) {
          boolean many = size() > MOST_PROCESSES;
          if (many) {
            mailboxes.gone(eldest.getKey());
          }
          return many;
        }
      };

  /** The numbers of a process's last request and last registration, and the time of the former. */
  private record Handled(long number, long registration, long nanos) {
    static final Handled NOTHING = new Handled(0, 0, 0);

    Handled and(ExchangeRequest request, long now) {
      boolean registers = request instanceof ExchangeRequest.Register && request.number() > number;
      return new Handled(
          Math.max(number, request.number()), registers ? request.number() : registration, now);
    }
  }

  /**
   * A server without groups.
   *
   * @param arrivals receives each request once, before it is handled
   * @param nanoTime the clock, as {@link System#nanoTime}
   */
  public ExchangeServer(
      HostFactory factory, Consumer<ExchangeRequest> arrivals, LongSupplier nanoTime) {
    this.hosts = new Hosts(factory);
    this.arrivals = arrivals;
    this.nanoTime = nanoTime;
  }

  /**
   * Answers one request. A repeated request is answered again and handled once. A process that this
   * server does not know receives {@link ExchangeReply.Unregistered}, unless the request is its
   * first one. A late request of before the process's registration acknowledges no message, since
   * messages are numbered anew from there.
   *
   * @return completes at once, but for a {@link ExchangeRequest.Fetch}: then when there are
   *     messages, or at the process's next one
   * @throws IllegalArgumentException if the bytes are no request
   */
  public CompletionStage<byte[]> answer(byte[] question) {
    ExchangeRequest request = Wire.decode(question, ExchangeRequest.class);
    CompletionStage<? extends ExchangeReply> reply;
    synchronized (this) {
      reply = handled(request);
    }
    return reply.thenApply(Wire::encode);
  }

  private CompletionStage<? extends ExchangeReply> handled(ExchangeRequest request) {
    Handled before = processes.get(request.executor());
    boolean first = request instanceof ExchangeRequest.Register || request.number() == 1;
    if (before == null && !first) {
      return CompletableFuture.completedFuture(new ExchangeReply.Unregistered());
    }
    Handled known = before == null ? Handled.NOTHING : before;
    if (request.number() > known.number()) {
      arrivals.accept(request);
      handle(request);
    }
    if (before == null) {
      forgetSilent();
    }
    Handled now = known.and(request, nanoTime.getAsLong());
    processes.put(request.executor(), now);
    return reply(request, now.registration());
  }

  /** A process without ranks is silent in order, and costs nothing. */
  private void forgetSilent() {
    long now = nanoTime.getAsLong();
    List<String> silent =
        processes.entrySet().stream()
            .filter(process -> now - process.getValue().nanos() >= SILENT_NANOS)
            .map(Map.Entry::getKey)
            .filter(mailboxes::isUsedBy)
            .toList();
    silent.forEach(
        process -> {
          LOG.info("Process {} has asked nothing for an hour, and is forgotten", process);
          processes.remove(process);
          mailboxes.gone(process);
        });
  }

  private void handle(ExchangeRequest request) {
    if (request instanceof ExchangeRequest.Send send) {
      for (ExchangeRequest.ToCoordinator sent : send.messages()) {
        handle(sent, send.executor());
      }
    }
  }

  private void handle(ExchangeRequest.ToCoordinator sent, String process) {
    if (sent.message() instanceof MemberMessage.Join join) {
      mailboxes.locate(sent.incarnation(), process);
      hosts.join(sent.group(), sent.size(), outbox, join);
      return;
    }
    hosts.find(sent.group()).ifPresent(host -> host.on(sent.message()));
    if (sent.message() instanceof MemberMessage.Leave
        || sent.message() instanceof MemberMessage.Withdraw) {
      mailboxes.forget(sent.incarnation());
    }
  }

  /** Files the messages of the hosts, and hands them out when a host pauses. */
  private final class Filing implements GroupHost.Outbox {
    @Override
    public void send(int rank, String incarnation, CoordinatorMessage message) {
      mailboxes.put(incarnation, message);
      if (message instanceof CoordinatorMessage.Fenced
          || message instanceof CoordinatorMessage.Refused) {
        mailboxes.forget(incarnation); // nothing follows these
      }
    }

    @Override
    public void flush() {
      mailboxes.flush();
    }
  }

  private CompletionStage<? extends ExchangeReply> reply(
      ExchangeRequest request, long registration) {
    if (request instanceof ExchangeRequest.Register) {
      return CompletableFuture.completedFuture(new ExchangeReply.Registered());
    } else if (request instanceof ExchangeRequest.Send send) {
      return send.number() < registration
          ? late()
          : CompletableFuture.completedFuture(mailboxes.fetch(send.executor(), send.received()));
    } else if (request instanceof ExchangeRequest.Fetch fetch) {
      return fetch.registration() < registration
          ? late()
          : mailboxes.await(fetch.executor(), fetch.received());
    }
    throw new IllegalArgumentException("no known request: " + request);
  }

  /** Nobody waits for the reply to such a request any more. */
  private static CompletionStage<ExchangeReply.Messages> late() {
    return CompletableFuture.completedFuture(new ExchangeReply.Messages(0, List.of()));
  }

  /** The number of groups that are remembered. */
  int groups() {
    return hosts.size();
  }

  /** The messages and ranks that are remembered. */
  Mailboxes mailboxes() {
    return mailboxes;
  }

  /** Whether a process that asked a moment ago has something to fetch, for which an end waits. */
  synchronized boolean owesMessages() {
    long now = nanoTime.getAsLong();
    return processes.entrySet().stream()
        .filter(process -> now - process.getValue().nanos() < RECENT_NANOS)
        .anyMatch(process -> mailboxes.hasMessages(process.getKey()));
  }
}
