package io.cairn.lab.cluster;

import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A thread that waits for more than a store. It is a real one, and runs only while whoever resumed
 * it waits: of all threads of a simulation, one runs.
 */
final class SimulatedThread {
  private final Actor actor;
  private final String name;
  private final Semaphore go = new Semaphore(0);
  private final Semaphore back = new Semaphore(0);

  /** Ends its wait early; null while it runs, or sleeps. */
  private @Nullable BooleanSupplier until;

  /** Numbers its waits, so that the alarm of an earlier one wakes no later one. */
  private long waits;

  private boolean waiting;
  private boolean running;
  private boolean killed;
  private boolean ended;

  SimulatedThread(Actor actor, String name) {
    this.actor = actor;
    this.name = name;
  }

  Actor actor() {
    return actor;
  }

  boolean ended() {
    return ended;
  }

  /** Whether it waits for a condition that holds now. */
  boolean ready() {
    return waiting && until != null && until.getAsBoolean();
  }

  boolean waitsStill(long number) {
    return waiting && waits == number;
  }

  void run(Runnable body) {
    go.acquireUninterruptibly();
    try {
      if (!killed) {
        body.run();
      }
    } catch (KilledError e) {
      killed = true;
    } finally {
      ended = true;
      actor.ended(this);
      back.release();
    }
  }

  /** Lets it run until it waits or ends. */
  void resume() {
    if (!ended && !running) {
      running = true;
      waiting = false;
      go.release();
      back.acquireUninterruptibly();
      running = false;
    }
  }

  /** Ends it, at its wait if it waits. One that runs ends at its next wait. */
  void kill() {
    killed = true;
    resume();
  }

  /** Begins a wait of the calling thread, this one; returns its number. */
  long beginWait(@Nullable BooleanSupplier condition) {
    until = condition;
    waiting = true;
    return ++waits;
  }

  /** Waits until it is resumed. */
  void pause() {
    back.release();
    go.acquireUninterruptibly();
    until = null;
    if (killed) {
      throw new KilledError(name);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
