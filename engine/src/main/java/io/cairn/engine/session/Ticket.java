package io.cairn.engine.session;

import io.cairn.CheckpointId;
import io.cairn.CheckpointTicket;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.core.cadence.FollowedCadence;
import io.cairn.core.cadence.Measurement;
import io.cairn.core.model.CheckpointFacts;
import io.cairn.core.model.ContainerSummary;
import io.cairn.core.protocol.MemberMessage;
import io.cairn.core.protocol.MemberMessage.GaveUp.Why;
import io.cairn.engine.promotion.RankReporter;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** The futures of a checkpoint, which the session completes. Thread-safe. */
final class Ticket implements CheckpointTicket {
  private final CheckpointId id;
  private final FollowedCadence.Due due;
  private final long openedNanos;
  private final CompletableFuture<Outcome> captured = new CompletableFuture<>();
  private final Map<Level, CompletableFuture<Outcome>> levels = new EnumMap<>(Level.class);

  /** Levels that do not hold this rank's data, although it was due there. */
  private final Set<Level> leftOut = ConcurrentHashMap.newKeySet();

  /** Levels that the group asked for once more while they were written. */
  private final Set<Level> askedMeanwhile = ConcurrentHashMap.newKeySet();

  /** The containers that this rank wrote for the group's manifest. */
  private volatile List<ContainerSummary> written = List.of();

  private volatile boolean last;
  private volatile boolean below;
  private volatile CheckpointFacts facts = CheckpointFacts.NONE;
  private volatile Supplier<Map<String, String>> entries = Map::of;

  /** Levels at which a write has begun; a second capture goes on with those of the first. */
  private volatile Set<Level> begun = ConcurrentHashMap.newKeySet();

  /** Whether a second capture replaces this one; its lock is held while a report is sent. */
  private final AtomicBoolean takenBack = new AtomicBoolean();

  private final Set<Level> claimed = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean captureClaimed = new AtomicBoolean();

  /**
   * A ticket. Later decisions of the group do not change the levels that it is due at.
   *
   * @param openedNanos when the iteration ended
   */
  Ticket(CheckpointId id, FollowedCadence.Due due, long openedNanos) {
    this.id = id;
    this.due = due;
    this.openedNanos = openedNanos;
    for (Level level : Level.values()) {
      levels.put(level, new CompletableFuture<>());
    }
  }

  /** A ticket that is settled from the start. */
  static Ticket closed(CheckpointId id, Function<Level, Outcome> outcome) {
    Ticket ticket = new Ticket(id, new FollowedCadence.Due(Set.of(), false), 0);
    for (Level level : Level.values()) {
      ticket.settle(level, outcome.apply(level));
    }
    ticket.capture(outcome.apply(Level.DEVICE));
    return ticket;
  }

  /**
   * Describes the checkpoint; called before the capture.
   *
   * @param known what the training says about it
   * @param more entries of its manifest
   */
  void describe(CheckpointFacts known, Supplier<Map<String, String>> more) {
    facts = known;
    entries = more;
  }

  /** The facts that the training told about its checkpoint. */
  CheckpointFacts facts() {
    return facts;
  }

  /** Makes further entries of its manifest, on any thread. */
  Supplier<Map<String, String>> entries() {
    return entries;
  }

  @Override
  public CheckpointId id() {
    return id;
  }

  /** When the iteration ended that it is of. */
  long openedNanos() {
    return openedNanos;
  }

  /** Whether it is due at a level, or may be. */
  boolean due(Level level) {
    return due.levels().contains(level);
  }

  /** The levels below DEVICE that it is due at, or may be. */
  Set<Level> dueBelowDevice() {
    return Level.where(level -> level != Level.DEVICE && due(level));
  }

  /** The levels that it is due at, or may be. */
  Set<Level> due() {
    return due.levels();
  }

  /** Whether the due levels are undecided, so that the checkpoint must be left out. */
  boolean inDoubt() {
    return due.inDoubt();
  }

  @Override
  public CompletableFuture<Outcome> captured() {
    return captured.copy();
  }

  @Override
  public CompletableFuture<Outcome> sealed(Level level) {
    return future(level).copy();
  }

  /**
   * Makes the caller the one that settles the capture; false if another is. A thread that copies
   * the regions claims it first, so that no other one allows the application to write them.
   */
  boolean claimCapture() {
    return captureClaimed.compareAndSet(false, true);
  }

  /** Settles the capture; the caller must have claimed it. */
  void capture(Outcome outcome) {
    captured.complete(outcome);
  }

  /** Makes the caller the one that settles a level; false if another is. */
  boolean claim(Level level) {
    return claimed.add(level);
  }

  /** Whether somebody settles a level, or has. */
  boolean isClaimed(Level level) {
    return claimed.contains(level);
  }

  /** Settles a level; the caller must have claimed it. */
  void settle(Level level, Outcome outcome) {
    future(level).complete(outcome);
  }

  /** Is of a second capture, of the iteration of this ticket; called before anything is written. */
  void replace(Ticket first) {
    begun = first.begun;
  }

  /**
   * A second capture replaces this one: nothing of it is reported any more. The coordinator would
   * take that for a report of the second.
   */
  void takeBack() {
    synchronized (takenBack) {
      takenBack.set(true);
    }
  }

  /** Sends a report of this capture, unless a second one replaces it. */
  void report(Runnable sending) {
    synchronized (takenBack) {
      if (!takenBack.get()) {
        sending.run();
      }
    }
  }

  /** Its data goes to levels below DEVICE. */
  void goesBelow() {
    below = true;
  }

  /** Whether its data went to levels below DEVICE, so that some may be left there. */
  boolean wentBelow() {
    return below;
  }

  /** The outcome of a level; empty while the level is not settled. */
  Optional<Outcome> outcome(Level level) {
    return Optional.ofNullable(future(level).getNow(null));
  }

  /** Whether this rank has captured it. */
  boolean isCaptured() {
    return captured.getNow(null) instanceof Outcome.Captured;
  }

  /** Whether the group has it at a level. */
  boolean isSealed(Level level) {
    return future(level).getNow(null) instanceof Outcome.Sealed;
  }

  /** Whether the group has it at some level. */
  boolean isSealed() {
    return due.levels().stream().anyMatch(this::isSealed);
  }

  /** The levels below DEVICE where the group has it. */
  Set<Level> sealedBelowDevice() {
    return Level.where(level -> level != Level.DEVICE && isSealed(level));
  }

  /** Whether the capture and all levels are settled. */
  boolean done() {
    boolean done = captured.isDone();
    for (CompletableFuture<Outcome> level : levels.values()) {
      done &= level.isDone();
    }
    return done;
  }

  /** Completes when all levels are settled. */
  CompletableFuture<Void> settled() {
    return CompletableFuture.allOf(levels.values().toArray(CompletableFuture<?>[]::new));
  }

  private CompletableFuture<Outcome> future(Level level) {
    return levels.computeIfAbsent(level, l -> new CompletableFuture<>());
  }

  /** Reports the outcomes of this ticket's checkpoint to the coordinator of its epoch. */
  final class Reporter implements RankReporter {
    private final EpochSession epoch;
    private final Timing timing;
    private final LongSupplier nanoTime;
    private volatile boolean held;
    private volatile String reason = "no level took it";

    /**
     * A reporter.
     *
     * @param nanoTime the clock that {@code timing} was taken by
     */
    Reporter(EpochSession epoch, Timing timing, LongSupplier nanoTime) {
      this.epoch = epoch;
      this.timing = timing;
      this.nanoTime = nanoTime;
    }

    EpochSession epoch() {
      return epoch;
    }

    Ticket ticket() {
      return Ticket.this;
    }

    Timing timing() {
      return timing;
    }

    /** Whether a level holds it. */
    boolean isHeld() {
      return held;
    }

    /** The last reason why a level does not hold it. */
    String reason() {
      return reason;
    }

    @Override
    public void held(Level level, List<ContainerSummary> containers) {
      held = true;
      if (!containers.isEmpty()) {
        written = List.copyOf(containers);
      }
      MemberMessage message =
          new MemberMessage.Held(
              epoch.rank(), id.epoch(), id.iteration(), level, containers, measured(level));
      report(() -> epoch.membership().send(message));
    }

    /** A rescue comes at a time of its own, so it proves nothing of a level's latency. */
    private Measurement measured(Level level) {
      return epoch.tickets().isRescued(id, level)
          ? Measurement.NONE
          : timing.heldAt(level, nanoTime.getAsLong());
    }

    @Override
    public void gaveUp(Level level, Why why, String because) {
      reason = level + ": " + because;
      leftOut.add(level);
      report(() -> epoch.giveUp(id, level, why, because));
    }

    @Override
    public boolean leftOut(Level level) {
      leftOut.add(level);
      // of this and a concurrent again() exactly one claims it
      return epoch.tickets().isRescued(id, level) && leftOut.remove(level);
    }

    @Override
    public void makeLast() {
      last = true;
    }

    @Override
    public boolean isLast() {
      return last;
    }

    @Override
    public boolean again(Level level) {
      last = true;
      if (!groupGaveUp(level)) {
        return false;
      }
      epoch.tickets().rescue(id, Set.of(level));
      boolean unwritten = leftOut.remove(level);
      List<ContainerSummary> known = written;
      if (!unwritten && !known.isEmpty()) {
        held(level, known);
      } else if (!unwritten) {
        askedMeanwhile.add(level);
      }
      return unwritten;
    }

    @Override
    public boolean askedMeanwhile(Level level) {
      return askedMeanwhile.remove(level);
    }

    @Override
    public boolean writesAgain(Level level) {
      return !begun.add(level);
    }

    /** Whether it was due there or sent there later: the ticket has the outcome of the former. */
    private boolean groupGaveUp(Level level) {
      return epoch.tickets().isRescuedInVain(id, level)
          || outcome(level)
              .filter(it -> it instanceof Outcome.Skipped || it instanceof Outcome.Failed)
              .isPresent();
    }

    @Override
    public Optional<String> unclaimed() {
      return epoch.membership().standing().claimed()
          ? Optional.empty()
          : Optional.of(
              String.format(
                  Locale.ROOT,
                  "STORE has not taken the claim of epoch %d yet, so nothing of it goes below"
                      + " DEVICE: free some space there, or mount it writable",
                  id.epoch()));
    }

    @Override
    public void fenced(String because) {
      reason = because;
      epoch.membership().fence(because);
    }

    @Override
    public boolean isSettled(Level level) {
      return !epoch.tickets().isRescued(id, level) && outcome(level).isPresent();
    }

    @Override
    public boolean isGivenUp(Level level) {
      return isSettled(level) && !epoch.tickets().isAbandoned();
    }
  }
}
