package io.cairn.engine.session;

import io.cairn.CairnEvent;
import io.cairn.CheckpointId;
import io.cairn.Member;
import io.cairn.engine.events.Observers;
import java.util.function.LongSupplier;

/**
 * Decides when a rank whose state exceeds the slots of its own cache, lent ones excluded, does
 * without room at DEVICE: after {@value #TRIES} tries in a row that found none. From then on a try
 * may take at most a {@value #SHARE}th of the time, so an absent peer costs no more; the first try
 * that succeeds ends the fall-back. Publishes both changes. Thread-safe.
 */
final class FallBack {
  private static final int TRIES = 3;
  private static final int SHARE = 16;

  private final Member member;
  private final Observers observers;
  private final LongSupplier nanoTime;
  private int missed;
  private long nextNanos;

  /**
   * A rank that has not fallen back.
   *
   * @param nanoTime the clock, as {@link System#nanoTime}
   */
  FallBack(Member member, Observers observers, LongSupplier nanoTime) {
    this.member = member;
    this.observers = observers;
    this.nanoTime = nanoTime;
  }

  /** Whether the rank does without room at DEVICE. */
  synchronized boolean isFallen() {
    return missed >= TRIES;
  }

  /** Whether the next checkpoint is to look for room. */
  synchronized boolean mayTry() {
    return !isFallen() || nanoTime.getAsLong() - nextNanos >= 0;
  }

  /**
   * A try found no room.
   *
   * @param beganNanos when the try began
   */
  void missed(CheckpointId id, long beganNanos, String reason) {
    boolean falls;
    synchronized (this) {
      missed = Math.min(missed + 1, TRIES + 1);
      falls = missed == TRIES;
      long now = nanoTime.getAsLong();
      nextNanos = now + (SHARE - 1) * Math.max(0, now - beganNanos);
    }
    if (falls) {
      observers.publish(new CairnEvent.FellBack(id, member, reason));
    }
  }

  /** A checkpoint was captured at DEVICE. */
  void captured(CheckpointId id) {
    boolean ends;
    synchronized (this) {
      ends = isFallen();
      missed = 0;
    }
    if (ends) {
      observers.publish(new CairnEvent.HasRoomAgain(id, member));
    }
  }
}
