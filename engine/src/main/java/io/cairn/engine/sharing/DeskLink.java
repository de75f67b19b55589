package io.cairn.engine.sharing;

import io.cairn.GroupId;
import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerException;
import io.cairn.core.peer.PeerException.Reason;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.sharing.DeskMessage;
import io.cairn.core.sharing.Patience;
import io.cairn.core.sharing.PlanAnswer;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import io.cairn.engine.coordination.Waits;
import io.cairn.engine.sharing.Sharing.Asked;
import io.cairn.engine.sharing.peer.Peers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A process's way to the desk. Waits for a group's plan as long as its {@link Patience} says, and
 * asks for none while the {@link DeskCircuit} is open. Thread-safe.
 */
final class DeskLink {
  private static final Logger LOG = LoggerFactory.getLogger(DeskLink.class);

  private final PeerTransport transport;
  private final PeerAddress desk;
  private final long patienceNanos;
  private final LongSupplier nanoTime;
  private final Waits waits;
  private final DeskCircuit circuit;
  private final Map<GroupId, Patience> groups = new ConcurrentHashMap<>();

  /** The reason of the newest warning, so that a lasting trouble is reported once. */
  private volatile String warned = "";

  private volatile boolean gone;

  /**
   * A way to this desk.
   *
   * @param patienceNanos the time to wait for a plan at least
   * @param nanoTime the clock, as {@link System#nanoTime}
   * @param waits for plans, by this clock
   */
  DeskLink(
      PeerTransport transport,
      PeerAddress desk,
      long patienceNanos,
      LongSupplier nanoTime,
      Waits waits) {
    this.transport = transport;
    this.desk = desk;
    this.patienceNanos = patienceNanos;
    this.nanoTime = nanoTime;
    this.waits = waits;
    this.circuit = new DeskCircuit(patienceNanos, nanoTime);
  }

  /**
   * Asks for a plan; measures the answer's delay, also that of a late one. Fails at once while the
   * desk is away.
   */
  CompletionStage<PeerReply.Planned> ask(DeskMessage.Report report) {
    if (!circuit.allows()) {
      return CompletableFuture.failedFuture(
          new PeerException(
              desk,
              Reason.UNREACHABLE,
              "a report",
              "not sent, since the desk did not answer before; it is asked again when it does"));
    }
    Patience patience = patience(report.member().group());
    long asked = nanoTime.getAsLong();
    return ask((DeskMessage) report)
        .thenApply(
            bytes -> {
              took(patience, nanoTime.getAsLong() - asked);
              return Wire.decode(bytes, PeerReply.Planned.class);
            })
        .whenComplete(
            (plan, failure) -> {
              if (failure != null && !Peers.isRefusal(failure)) {
                circuit.failed(asked);
              }
            });
  }

  private void took(Patience patience, long nanos) {
    patience.took(nanos);
    if (nanos <= patience.nanos()) {
      circuit.planned();
    }
  }

  private Patience patience(GroupId group) {
    return groups.computeIfAbsent(group, g -> new Patience(patienceNanos));
  }

  /** Forgets the delays of a group, of which a rank has ended here. */
  void forget(GroupId group) {
    groups.remove(group);
  }

  /** Waits for the plan; without one in time all chunks go to host memory. */
  PlanAnswer.Part plan(Asked asked, int missing) {
    String reason;
    long begin = nanoTime.getAsLong();
    long waitNanos = patience(asked.member().group()).nanos();
    try {
      CompletableFuture<PeerReply.Planned> planned = asked.answer().toCompletableFuture();
      if (!waits.await(planned, waitNanos)) {
        circuit.failed(begin);
        reason = "the desk does not answer within " + Duration.ofNanos(waitNanos);
      } else if (planned.get().answer() instanceof PlanAnswer.Part part) {
        warn(asked, part.reason());
        return part;
      } else {
        reason = planned.get().answer().toString();
      }
    } catch (ExecutionException | IllegalArgumentException e) {
      reason = e.toString();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      reason = "interrupted";
    }
    warn(asked, reason);
    return new PlanAnswer.Part(
        asked.target().id(),
        asked.target().rank(),
        List.of(),
        Math.min(missing, DeskMessage.MOST_CHUNKS),
        reason);
  }

  /** Warns of a reason that differs from the last; a plan without one ends the trouble. */
  private void warn(Asked asked, String reason) {
    String before = warned;
    warned = reason;
    if (!reason.isEmpty() && !reason.equals(before)) {
      LOG.warn("{}: all goes to host memory: {}", asked.target(), reason);
    } else if (!reason.isEmpty()) {
      LOG.debug("{}: all goes to host memory: {}", asked.target(), reason);
    }
  }

  /** Sends a message whose reply has no result. */
  void send(DeskMessage message) {
    ask(message)
        .whenComplete(
            (answer, failure) -> {
              gone = failure != null && Peers.isUnreachable(failure);
              if (failure == null) {
                circuit.answered();
              } else {
                LOG.debug("The desk did not receive {}", message, failure);
              }
            });
  }

  /** Whether no connection to the desk was made, when a message to it last ended. */
  boolean isGone() {
    return gone;
  }

  private CompletionStage<byte[]> ask(DeskMessage message) {
    return transport.ask(desk, Wire.encode(new PeerRequest.Desk(message)));
  }
}
