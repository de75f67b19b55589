package io.cairn.engine.session;

import io.cairn.core.cadence.FollowedCadence;
import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.Level;
import io.cairn.core.session.CheckpointTicket;
import io.cairn.core.session.Outcome;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** A checkpoint's futures, completed by the session. Thread-safe. */
final class Ticket implements CheckpointTicket {
  private final CheckpointId id;
  private final FollowedCadence.Due due;
  private final CompletableFuture<Outcome> captured = new CompletableFuture<>();
  private final Map<Level, CompletableFuture<Outcome>> levels = new EnumMap<>(Level.class);
  private final Set<Level> claimed = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean captureClaimed = new AtomicBoolean();

  /** A ticket; where it is due is fixed by this, whatever the group decides later. */
  Ticket(CheckpointId id, FollowedCadence.Due due) {
    this.id = id;
    this.due = due;
    for (Level level : Level.values()) {
      levels.put(level, new CompletableFuture<>());
    }
  }

  @Override
  public CheckpointId id() {
    return id;
  }

  /** Whether it is due at a level, or may be. */
  boolean due(Level level) {
    return due.levels().contains(level);
  }

  /** The levels that it is due at, or may be. */
  Set<Level> due() {
    return due.levels();
  }

  /** Whether that is open, so that nothing of it can be kept. */
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
   * Makes the caller the one who settles the capture; false if another is. Whoever copies the
   * regions claims it first: nobody else may then tell the application to write them.
   */
  boolean claimCapture() {
    return captureClaimed.compareAndSet(false, true);
  }

  /** Settles the capture, which the caller claimed. */
  void capture(Outcome outcome) {
    captured.complete(outcome);
  }

  /** Makes the caller the one who settles a level; false if another is. */
  boolean claim(Level level) {
    return claimed.add(level);
  }

  /** Settles a level, which the caller claimed. */
  void settle(Level level, Outcome outcome) {
    future(level).complete(outcome);
  }

  /** How a level ended, if it has. */
  Optional<Outcome> outcome(Level level) {
    return Optional.ofNullable(future(level).getNow(null));
  }

  /** Whether nothing is open. */
  boolean done() {
    return captured.isDone() && levels.values().stream().allMatch(CompletableFuture::isDone);
  }

  private CompletableFuture<Outcome> future(Level level) {
    return levels.computeIfAbsent(level, l -> new CompletableFuture<>());
  }
}
