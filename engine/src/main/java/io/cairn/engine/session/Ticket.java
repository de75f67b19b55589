package io.cairn.engine.session;

import io.cairn.CheckpointId;
import io.cairn.CheckpointTicket;
import io.cairn.Level;
import io.cairn.Outcome;
import io.cairn.core.cadence.FollowedCadence;
import io.cairn.core.model.CheckpointFacts;
import io.cairn.core.model.ContainerSummary;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;

/** The futures of a checkpoint, which the session completes. Thread-safe. */
final class Ticket implements CheckpointTicket {
  private final CheckpointId id;
  private final FollowedCadence.Due due;
  private final long openedNanos;
  private final CompletableFuture<Outcome> captured = new CompletableFuture<>();
  private final Map<Level, CompletableFuture<Outcome>> levels = new EnumMap<>(Level.class);

  /** Levels that this rank's data was not written to, although it was due there. */
  private final Set<Level> leftOut = ConcurrentHashMap.newKeySet();

  /** Levels that this rank's data cannot be written to any more, and why. */
  private final Map<Level, String> failures = new ConcurrentHashMap<>();

  /** The containers that this rank wrote for the group's manifest. */
  private volatile List<ContainerSummary> written = List.of();

  private volatile boolean last;
  private volatile boolean below;
  private volatile CheckpointFacts facts = CheckpointFacts.NONE;
  private volatile Supplier<Map<String, String>> entries = Map::of;

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

  /** Its data goes to levels below DEVICE. */
  void goesBelow() {
    below = true;
  }

  /** Whether its data went to levels below DEVICE, so that some may be left there. */
  boolean wentBelow() {
    return below;
  }

  /** Its training or process ends with it. */
  void makeLast() {
    last = true;
  }

  /** Whether its training or process ends with it. */
  boolean isLast() {
    return last;
  }

  /** This rank's data was not written to a level. */
  void leaveOut(Level level) {
    leftOut.add(level);
  }

  /** Whether a level was left out; from now on it was not. */
  boolean claimLeftOut(Level level) {
    return leftOut.remove(level);
  }

  /** This rank's data cannot be written to a level any more. */
  void fail(Level level, String reason) {
    failures.put(level, reason);
  }

  /** Why this rank's data cannot be written to a level; empty if it can. */
  Optional<String> failure(Level level) {
    return Optional.ofNullable(failures.get(level));
  }

  /** This rank's data is in these containers. */
  void written(List<ContainerSummary> containers) {
    written = List.copyOf(containers);
  }

  /** The containers that this rank wrote for the group's manifest; none if it wrote none. */
  List<ContainerSummary> written() {
    return written;
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
}
