package io.cairn.adjoint.history;

import java.util.Arrays;

/**
 * The reads to come, and how far states were brought up for them from each room. The ledger's
 * monitor guards it.
 */
final class Upcoming {
  private Reads reads = ReadOrder.REVERSE.reads();

  /** Of each room, the first read that it may still serve. */
  private final long[] ahead;

  Upcoming(int rooms) {
    ahead = new long[rooms];
  }

  /** Replaces the order; the keys of all states are old then. */
  void order(ReadOrder order) {
    reads = order.reads();
    Arrays.fill(ahead, 0);
  }

  /** A state is stored: its next read is known now. */
  void stored(State state) {
    reads.stored(state.step);
    state.key = reads.next(state.step);
    backTo(reads.first());
  }

  /** A state was read: it may be read again later. */
  void read(State state) {
    reads.read(state.step);
    state.key = reads.next(state.step);
  }

  /** A state left the device, or came to another room, and must come up again. */
  void left(State state) {
    backTo(state.key);
  }

  private void backTo(long read) {
    for (int i = 0; i < ahead.length; i++) {
      ahead[i] = Math.min(ahead[i], read);
    }
  }

  /** The step of the first read that a room has not served yet; -1 if it served all. */
  long step(int room) {
    ahead[room] = Math.max(ahead[room], reads.first());
    return reads.step(ahead[room]);
  }

  /** Goes on to the next read, and returns its step. */
  long serve(int room) {
    ahead[room]++;
    return step(room);
  }
}
