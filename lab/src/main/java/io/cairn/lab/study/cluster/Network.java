package io.cairn.lab.study.cluster;

import io.cairn.core.peer.PeerException;
import io.cairn.engine.coordination.Exchange;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * The way of processes to the driver: late, repeated and lost messages, and partitions in either
 * direction or both.
 */
final class Network {
  private static final long MILLI = 1_000_000;
  private static final long LATENCY_NANOS = 2 * MILLI;
  private static final long TIMEOUT_NANOS = 200 * MILLI;

  private final Turns turns;
  private final Supplier<SimulatedDriver> driver;
  private final Faults faults;

  /** Processes whose messages do not arrive, and those that receive none. */
  private final Set<Actor> mute = new HashSet<>();

  private final Set<Actor> deaf = new HashSet<>();

  Network(Turns turns, Supplier<SimulatedDriver> driver, Faults faults) {
    this.turns = turns;
    this.driver = driver;
    this.faults = faults;
  }

  /** Cuts a process off, in one direction or both. */
  void cut(Actor actor, boolean sending, boolean receiving) {
    if (sending) {
      mute.add(actor);
    }
    if (receiving) {
      deaf.add(actor);
    }
    faults.count(sending && receiving ? "partition" : "one-way partition");
    turns.note(
        actor.name(), "is cut off" + (sending ? " sending" : "") + (receiving ? " receiving" : ""));
  }

  /** Whether nothing that one process sends reaches another. */
  boolean isCut(Actor from, Actor to) {
    return mute.contains(from) || deaf.contains(to);
  }

  void heal(Actor actor) {
    mute.remove(actor);
    deaf.remove(actor);
  }

  /** The exchange of one process with the driver of the moment. */
  Exchange from(Actor actor) {
    return request -> ask(actor, request);
  }

  private CompletionStage<byte[]> ask(Actor actor, byte[] request) {
    CompletableFuture<byte[]> reply = new CompletableFuture<>();
    turns.after(actor, latency(), () -> arrive(actor, request, reply));
    return reply;
  }

  private void arrive(Actor actor, byte[] request, CompletableFuture<byte[]> reply) {
    SimulatedDriver to = driver.get();
    if (mute.contains(actor) || faults.strikes(faults.lostMessage())) {
      lost(actor, "request", reply);
    } else if (!to.actor().alive()) {
      reply.completeExceptionally(
          new PeerException(
              PeerNetwork.DESK, PeerException.Reason.UNREACHABLE, "a question", "no driver"));
    } else if (to.actor().stopped()) {
      // the request waits in a buffer, and is handled when nobody waits for its reply
      turns.after(to.actor(), 0, () -> to.services().answer(request));
      lost(actor, "reply", reply);
    } else {
      if (faults.strikes(faults.lostMessage())) {
        faults.count("repeated request");
        turns.after(
            to.actor(),
            turns.random().nextLong(TIMEOUT_NANOS),
            () -> to.services().answer(request));
      }
      CompletableFuture<Void> answered =
          to.services()
              .answer(request)
              .thenAccept(bytes -> goBack(actor, bytes, reply))
              .toCompletableFuture();
      if (!answered.isDone()) {
        Runnable cut = () -> cutOff(actor, reply);
        to.actor().atDeath(cut);
        var unused = answered.whenComplete((done, failure) -> to.actor().notAtDeath(cut));
      }
    }
  }

  private void goBack(Actor actor, byte[] bytes, CompletableFuture<byte[]> reply) {
    turns.after(
        actor,
        latency(),
        () -> {
          if (deaf.contains(actor) || faults.strikes(faults.lostMessage())) {
            lost(actor, "reply", reply);
          } else {
            reply.complete(bytes);
          }
        });
  }

  /** The connection ends with the driver; a process notices a moment later. */
  private void cutOff(Actor actor, CompletableFuture<byte[]> reply) {
    if (!reply.isDone()) {
      turns.after(actor, latency(), () -> reply.completeExceptionally(new IOException("cut off")));
    }
  }

  private long latency() {
    return 1 + turns.random().nextLong(LATENCY_NANOS);
  }

  private void lost(Actor actor, String what, CompletableFuture<byte[]> reply) {
    faults.count("lost " + what);
    turns.after(
        actor,
        TIMEOUT_NANOS,
        () -> reply.completeExceptionally(new IOException("no reply in time")));
  }
}
