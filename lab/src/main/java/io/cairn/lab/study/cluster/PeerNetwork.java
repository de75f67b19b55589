package io.cairn.lab.study.cluster;

import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerException;
import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.Wire;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The way of processes to each other, and to the desk in the driver. Answers are late, lost,
 * refused or damaged. A process that is stopped or cut off, or whose machine is lost, is silent;
 * one that died on a living machine is known to be gone at once.
 */
final class PeerNetwork {
  /** The desk of whichever driver lives. */
  static final PeerAddress DESK = new PeerAddress("driver", 1);

  /** An answer that takes longer than this never came, for the one that asked. */
  static final long PATIENCE_NANOS = 5_000_000_000L;

  /** The name under which containers of staging servers are counted. */
  static final String STAGED = "container of a staging server";

  private static final long LATENCY_NANOS = 2_000_000;
  private static final long SLOW_NANOS = 1_000_000_000L;
  private static final long LIMIT_NANOS = 10_000_000_000L;

  private final Turns turns;
  private final Supplier<SimulatedDriver> driver;
  private final Network cuts;
  private final Faults faults;
  private final Map<PeerAddress, Served> served = new HashMap<>();
  private final Map<Actor, Tally> tallies = new HashMap<>();

  /** A process that answers; of a machine that is lost nobody learns that the process died. */
  private record Served(
      Actor actor, PeerService service, @Nullable SimulatedMachine machine, int losses) {
    boolean isLost() {
      return machine != null && machine.losses() != losses;
    }
  }

  /** The questions of one process so far. */
  private static final class Tally {
    private final Set<PeerAddress> silent = new HashSet<>();
    private int askedAgain;
    private long answeredNanos;
  }

  PeerNetwork(Turns turns, Supplier<SimulatedDriver> driver, Network cuts, Faults faults) {
    this.turns = turns;
    this.driver = driver;
    this.cuts = cuts;
    this.faults = faults;
  }

  /** Opens the transport of a process. */
  PeerTransport.Opening from(Actor actor, SimulatedMachine machine) {
    return service -> {
      PeerAddress self =
          new PeerAddress(machine.name() + "-" + machine.losses(), 2 + served.size());
      served.put(self, new Served(actor, service, machine, machine.losses()));
      tallies.put(actor, new Tally());
      return new Transport(actor, self);
    };
  }

  /** The peers that left a question of a process unanswered so far. */
  int silentPeers(Actor actor) {
    return tally(actor).silent.size();
  }

  /** The questions of a process to peers that were silent before. */
  int askedAgain(Actor actor) {
    return tally(actor).askedAgain;
  }

  /** The time that the answers which a process received have taken, all together. */
  long answeredNanos(Actor actor) {
    return tally(actor).answeredNanos;
  }

  /** A process wrote a rank's data to STORE for another one. */
  void staged() {
    faults.count(STAGED);
  }

  private Tally tally(Actor actor) {
    return tallies.getOrDefault(actor, new Tally());
  }

  private final class Transport implements PeerTransport {
    private final Actor actor;
    private final PeerAddress self;

    Transport(Actor actor, PeerAddress self) {
      this.actor = actor;
      this.self = self;
    }

    @Override
    public PeerAddress address() {
      return self;
    }

    @Override
    public CompletionStage<byte[]> ask(PeerAddress peer, byte[] request) {
      Question question = new Question(actor, peer, turns.nowNanos(), new CompletableFuture<>());
      Tally tally = tally(actor);
      tally.askedAgain += tally.silent.contains(peer) ? 1 : 0;
      turns.after(null, latency(), () -> arrive(question, request));
      turns.after(null, PATIENCE_NANOS, () -> recordIfSilent(question));
      turns.after(actor, LIMIT_NANOS, () -> fail(question, PeerException.Reason.LOST, "silent"));
      return question.reply();
    }

    @Override
    public CompletionStage<Void> push(PeerAddress peer, byte[] header, ByteBuffer body) {
      throw new UnsupportedOperationException("nothing is pushed to a node");
    }

    @Override
    public void close() {}
  }

  private record Question(
      Actor actor, PeerAddress peer, long atNanos, CompletableFuture<byte[]> reply) {}

  private void recordIfSilent(Question question) {
    if (!question.reply().isDone()) {
      faults.count("silent peer");
      tally(question.actor()).silent.add(question.peer());
    }
  }

  private @Nullable Served to(PeerAddress peer) {
    SimulatedDriver now = driver.get();
    return peer.equals(DESK) ? new Served(now.actor(), now.desk(), null, 0) : served.get(peer);
  }

  private void arrive(Question question, byte[] request) {
    Served to = to(question.peer());
    if (to == null || to.isLost() || isLost(question.actor(), to.actor())) {
      return; // silence
    }
    if (!to.actor().alive()) {
      failSoon(question, PeerException.Reason.UNREACHABLE, "connection refused");
    } else {
      // a process that is stopped answers when it wakes
      turns.after(to.actor(), 0, () -> answer(question, to, request));
    }
  }

  private boolean isLost(Actor from, Actor to) {
    return cuts.isCut(from, to) || faults.strikes(faults.lostMessage());
  }

  private void answer(Question question, Served to, byte[] request) {
    if (faults.strikes(faults.lostMessage())) {
      faults.count("refusal of a peer");
      failSoon(question, PeerException.Reason.OVERLOADED, "busy");
      return;
    }
    try {
      var unused =
          to.service()
              .answer(request)
              .whenComplete((bytes, failure) -> goBack(question, to, bytes, failure));
    } catch (RuntimeException e) { // reaches the peer
      failSoon(question, PeerException.Reason.REFUSED, String.valueOf(e.getMessage()));
    }
  }

  private void goBack(
      Question question, Served to, byte @Nullable [] bytes, @Nullable Throwable failure) {
    if (isLost(to.actor(), question.actor())) {
      return; // silence
    }
    if (bytes == null) {
      failSoon(question, PeerException.Reason.REFUSED, String.valueOf(failure));
      return;
    }
    byte[] arrived = faults.strikes(faults.lostMessage()) ? damaged(bytes) : bytes;
    turns.after(question.actor(), latency(), () -> reply(question, arrived));
  }

  private void reply(Question question, byte[] bytes) {
    tally(question.actor()).answeredNanos += turns.nowNanos() - question.atNanos();
    question.reply().complete(bytes);
  }

  /** The transport keeps messages whole, so a peer that reads badly sends other bytes of a file. */
  private byte[] damaged(byte[] bytes) {
    if (Wire.decode(bytes, PeerReply.class) instanceof PeerReply.Piece piece
        && piece.bytes().hasRemaining()) {
      faults.count("damaged answer");
      ByteBuffer whole = piece.bytes();
      byte[] other = new byte[whole.remaining()];
      whole.get(other);
      other[turns.random().nextInt(other.length)] ^= (byte) (1 << turns.random().nextInt(8));
      return Wire.encode(new PeerReply.Piece(ByteBuffer.wrap(other)));
    }
    return bytes;
  }

  private void failSoon(Question question, PeerException.Reason reason, String why) {
    turns.after(question.actor(), latency(), () -> fail(question, reason, why));
  }

  private static void fail(Question question, PeerException.Reason reason, String why) {
    question
        .reply()
        .completeExceptionally(new PeerException(question.peer(), reason, "question", why));
  }

  private long latency() {
    if (faults.strikes(faults.lostMessage())) {
      faults.count("slow peer");
      return 1 + turns.random().nextLong(SLOW_NANOS);
    }
    return 1 + turns.random().nextLong(LATENCY_NANOS);
  }
}
