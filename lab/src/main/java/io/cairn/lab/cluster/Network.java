package io.cairn.lab.cluster;

import io.cairn.engine.coordination.Exchange;
import java.io.IOException;
import java.net.ConnectException;
import java.util.HashSet;
import java.util.Set;
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
  private final Supplier<DriverProcess> driver;
  private final Faults faults;

  /** Processes whose messages do not arrive, and those that receive none. */
  private final Set<Actor> mute = new HashSet<>();

  private final Set<Actor> deaf = new HashSet<>();

  Network(Turns turns, Supplier<DriverProcess> driver, Faults faults) {
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

  void heal(Actor actor) {
    mute.remove(actor);
    deaf.remove(actor);
  }

  /** The exchange of one process with the driver of the moment. */
  Exchange from(Actor actor) {
    return request -> ask(actor, request);
  }

  private byte[] ask(Actor actor, byte[] request) throws IOException {
    pass();
    if (mute.contains(actor) || faults.strikes(faults.lostMessage())) {
      throw lost("request");
    }
    DriverProcess to = driver.get();
    if (!to.actor().alive()) {
      throw new ConnectException("no driver");
    }
    if (to.actor().stopped()) {
      // the request waits in a buffer, and is handled when nobody waits for its reply
      turns.after(to.actor(), 0, () -> to.answer(request));
      throw lost("reply");
    }
    byte[] reply = to.answer(request);
    if (faults.strikes(faults.lostMessage())) {
      faults.count("repeated request");
      turns.after(to.actor(), turns.random().nextLong(TIMEOUT_NANOS), () -> to.answer(request));
    }
    pass();
    if (deaf.contains(actor) || faults.strikes(faults.lostMessage())) {
      throw lost("reply");
    }
    return reply;
  }

  private void pass() {
    turns.await(null, 1 + turns.random().nextLong(LATENCY_NANOS));
  }

  private IOException lost(String what) {
    faults.count("lost " + what);
    turns.await(null, TIMEOUT_NANOS);
    return new IOException("no reply in time");
  }
}
