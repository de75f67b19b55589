package io.cairn.lab.study.cluster;

import io.cairn.core.peer.PeerAddress;
import io.cairn.core.peer.PeerException;
import io.cairn.core.peer.PeerService;
import io.cairn.core.peer.PeerSink;
import io.cairn.core.peer.PeerTransport;
import io.cairn.core.sharing.DeskMessage;
import io.cairn.core.wire.PeerReply;
import io.cairn.core.wire.PeerRequest;
import io.cairn.core.wire.Wire;
import io.cairn.engine.sharing.peer.HolderId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
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

  /** The name under which checkpoints with chunks at lenders are counted. */
  static final String LEASED = "checkpoint with chunks at lenders";

  /** The name under which chunks that are read from a lender on another machine are counted. */
  static final String LENT_READ = "chunk read from a lender";

  /** The name under which leases to processes of the same machine are counted. */
  static final String LENT_NEAR = "lease on the same machine";

  /** The name under which reports are counted that lent chunks are at NODE. */
  static final String LENT_FLUSHED = "lent chunks at the next level";

  /** The name under which chunks are counted whose slots go into quarantine. */
  static final String REJECTED = "chunks that a lender rejected";

  /** The name under which pushes are counted whose lease is over. */
  static final String LATE_PUSH = "late push that was refused";

  /** The name under which silent processes are counted that others take for dead. */
  static final String DECLARED_DEAD = "living peer declared dead";

  /** The name under which containers of staging servers are counted. */
  static final String STAGED = "container of a staging server";

  private static final long LATENCY_NANOS = 2_000_000;
  private static final long SLOW_NANOS = 1_000_000_000L;
  private static final long LIMIT_NANOS = 10_000_000_000L;

  private final Turns turns;
  private final Supplier<SimulatedDriver> driver;
  private final Network cuts;
  private final Faults faults;
  private final SimulatedDevice device;
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

  /**
   * Nobody is connected.
   *
   * @param device learns of the leases, and takes the pushes
   */
  PeerNetwork(
      Turns turns,
      Supplier<SimulatedDriver> driver,
      Network cuts,
      Faults faults,
      SimulatedDevice device) {
    this.turns = turns;
    this.driver = driver;
    this.cuts = cuts;
    this.faults = faults;
    this.device = device;
  }

  /** Opens the transport of a process that serves its node. */
  PeerTransport.Opening forNodes(Actor actor, SimulatedMachine machine) {
    return service -> {
      Tally tally = new Tally();
      tallies.put(actor, tally);
      return new Transport(actor, serve(actor, machine, service), tally, null);
    };
  }

  /** Opens the transport of a process that shares device memory. */
  PeerTransport.Opening forSharing(Actor actor, SimulatedMachine machine) {
    return service -> {
      WatchedHolder holder = new WatchedHolder(device, faults, actor, service);
      return new Transport(actor, serve(actor, machine, holder), new Tally(), holder);
    };
  }

  private PeerAddress serve(Actor actor, SimulatedMachine machine, PeerService service) {
    PeerAddress self = new PeerAddress(machine.name() + "-" + machine.losses(), 2 + served.size());
    served.put(self, new Served(actor, service, machine, machine.losses()));
    return self;
  }

  /** The way of a driver to other processes. */
  PeerTransport ofDriver(Actor actor) {
    return new Transport(actor, DESK, new Tally(), null);
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

  /** Counts something that a process did. */
  void count(String what) {
    faults.count(what);
  }

  private Tally tally(Actor actor) {
    return tallies.getOrDefault(actor, new Tally());
  }

  private final class Transport implements PeerTransport {
    private final Actor actor;
    private final PeerAddress self;
    private final Tally tally;

    /**
     * The sharing of a process, whose threads ask and push without waiting for what they sent
     * before.
     */
    private final @Nullable WatchedHolder holder;

    private final Map<PeerAddress, Long> lastQuestion = new HashMap<>();
    private final Map<PeerAddress, Long> lastPush = new HashMap<>();

    Transport(Actor actor, PeerAddress self, Tally tally, @Nullable WatchedHolder holder) {
      this.actor = actor;
      this.self = self;
      this.tally = tally;
      this.holder = holder;
    }

    /** The time on the way; nothing overtakes what was sent before. */
    private long way(Map<PeerAddress, Long> last, PeerAddress peer) {
      long nanos = latency();
      if (holder == null) {
        return nanos;
      }
      long arrival = Math.max(turns.nowNanos() + nanos, last.getOrDefault(peer, Long.MIN_VALUE));
      last.put(peer, arrival);
      return arrival - turns.nowNanos();
    }

    @Override
    public PeerAddress address() {
      return self;
    }

    @Override
    public CompletionStage<byte[]> ask(PeerAddress peer, byte[] request) {
      if (holder != null) {
        watch(holder, Wire.decode(request, PeerRequest.class));
      }
      Question question =
          new Question(actor, peer, turns.nowNanos(), new CompletableFuture<>(), tally);
      tally.askedAgain += tally.silent.contains(peer) ? 1 : 0;
      turns.after(null, way(lastQuestion, peer), () -> arrive(question, request));
      turns.after(null, PATIENCE_NANOS, () -> recordIfSilent(question));
      turns.after(actor, LIMIT_NANOS, () -> fail(question, PeerException.Reason.LOST, "silent"));
      return question.reply();
    }

    /** The process that declares another dead tells the desk that it has nothing to spare. */
    private void watch(WatchedHolder sharing, PeerRequest request) {
      if (request instanceof PeerRequest.Notice notice) {
        sharing.says(notice.answer());
      } else if (request instanceof PeerRequest.Desk desk
          && desk.message() instanceof DeskMessage.Spare spare) {
        HolderId named = HolderId.parse(spare.holder());
        Served there = served.get(named.address());
        if (!named.process().equals(actor.name()) && there != null && there.actor().alive()) {
          faults.count(DECLARED_DEAD);
        }
      }
    }

    @Override
    public CompletionStage<Void> push(PeerAddress peer, byte[] header, ByteBuffer body) {
      byte[] bytes = new byte[body.remaining()];
      body.duplicate().get(bytes);
      Question push = new Question(actor, peer, turns.nowNanos(), new CompletableFuture<>(), tally);
      long nanos = way(lastPush, peer);
      if (faults.strikes(faults.brokenPush())) {
        faults.count("push after its connection broke");
        failSoon(push, PeerException.Reason.LOST, "the connection broke");
        nanos += turns.random().nextLong(SLOW_NANOS);
      }
      turns.after(null, nanos, () -> arrive(push, to -> receive(push, to, header, bytes)));
      turns.after(actor, LIMIT_NANOS, () -> fail(push, PeerException.Reason.LOST, "silent"));
      return push.reply().thenAccept(done -> {});
    }

    @Override
    public void close() {}
  }

  private record Question(
      Actor actor, PeerAddress peer, long atNanos, CompletableFuture<byte[]> reply, Tally tally) {}

  private void recordIfSilent(Question question) {
    if (!question.reply().isDone()) {
      faults.count("silent peer");
      question.tally().silent.add(question.peer());
    }
  }

  private @Nullable Served to(PeerAddress peer) {
    SimulatedDriver now = driver.get();
    return peer.equals(DESK) ? new Served(now.actor(), now.services(), null, 0) : served.get(peer);
  }

  private void arrive(Question question, byte[] request) {
    arrive(question, to -> answer(question, to, request));
  }

  private void arrive(Question question, Consumer<Served> handling) {
    Served to = to(question.peer());
    if (to == null || to.isLost() || isLost(question.actor(), to.actor())) {
      return; // silence
    }
    if (!to.actor().alive()) {
      failSoon(question, PeerException.Reason.UNREACHABLE, "connection refused");
    } else {
      // a process that is stopped answers when it wakes
      turns.after(to.actor(), 0, () -> handling.accept(to));
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

  private void receive(Question push, Served to, byte[] header, byte[] bytes) {
    if (faults.strikes(faults.brokenPush())) {
      faults.count("damaged push");
      bytes[turns.random().nextInt(bytes.length)] ^= 1;
    }
    try {
      PeerSink sink = to.service().receive(header, bytes.length);
      sink.data(ByteBuffer.wrap(bytes));
      sink.complete();
    } catch (IOException | RuntimeException e) { // reaches the peer
      failSoon(push, PeerException.Reason.REFUSED, String.valueOf(e.getMessage()));
      return;
    }
    if (!isLost(to.actor(), push.actor())) {
      turns.after(push.actor(), latency(), () -> push.reply().complete(bytes));
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
    question.tally().answeredNanos += turns.nowNanos() - question.atNanos();
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
