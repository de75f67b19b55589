package io.cairn.lab.study.cluster;

import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A thread that can wait in virtual time. It is a real one, and runs only while it has the turn.
 * The thread that has the turn uses this object.
 */
final class SimulatedThread {
  private final @Nullable Actor actor;
  private final String name;
  private final double suspension;
  private final Semaphore turn = new Semaphore(0);

  /** Begins it; null once it has begun. */
  private @Nullable Runnable begin;

  /** Ends its wait early; null while it runs, or sleeps. */
  private @Nullable BooleanSupplier until;

  /** Numbers its waits, so that the alarm of an earlier one wakes no later one. */
  private long waits;

  private boolean waiting;
  private boolean alarmed;
  private boolean killed;

  /**
   * A thread.
   *
   * @param actor its process; null for the simulation's own thread
   * @param suspension the probability that one of its calls of a store is suspended
   * @param begin begins it at its first turn; null if it runs already
   */
  SimulatedThread(@Nullable Actor actor, String name, double suspension, @Nullable Runnable begin) {
    this.actor = actor;
    this.name = name;
    this.suspension = suspension;
    this.begin = begin;
    waiting = begin != null;
  }

  @Nullable Actor actor() {
    return actor;
  }

  double suspension() {
    return suspension;
  }

  boolean hasBegun() {
    return begin == null;
  }

  boolean killed() {
    return killed;
  }

  /** It ends at its next turn, and waits no more. */
  void kill() {
    killed = true;
  }

  /** Whether it has something to do, and its process runs. */
  boolean canRun() {
    if (killed) {
      return actor == null || actor.permits(this);
    }
    return waiting
        && (alarmed || (until != null && until.getAsBoolean()))
        && (actor == null || (actor.permits(this) && !actor.stopped()));
  }

  /** Begins a wait; returns its number. */
  long beginWait(@Nullable BooleanSupplier condition) {
    until = condition;
    waiting = true;
    alarmed = false;
    return ++waits;
  }

  /** The time of a wait is over. */
  void alarm(long number) {
    alarmed |= waits == number;
  }

  /** Gives it the turn. */
  void resume() {
    waiting = false;
    Runnable first = begin;
    begin = null;
    if (first != null) {
      first.run();
    } else {
      turn.release();
    }
  }

  /** The calling thread, this one, waits for its turn. */
  void pause() {
    turn.acquireUninterruptibly();
  }

  @Override
  public String toString() {
    return name;
  }
}
