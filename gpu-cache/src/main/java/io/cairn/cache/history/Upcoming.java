package io.cairn.cache.history;

/**
 * The reads to come, and how far states were brought up for them. The ledger's monitor guards it.
 */
final class Upcoming {
  private Reads reads = ReadOrder.REVERSE.reads();
  private long ahead;

  /** Replaces the order; the keys of all states are old then. */
  void order(ReadOrder order) {
    reads = order.reads();
    ahead = 0;
  }

  /** A state is stored: its next read is known now. */
  void stored(State state) {
    reads.stored(state.step);
    state.key = reads.next(state.step);
    ahead = Math.min(ahead, reads.first());
  }

  /** A state was read: it may be read again later. */
  void read(State state) {
    reads.read(state.step);
    state.key = reads.next(state.step);
  }

  /** A state left the device, and must come up again. */
  void left(State state) {
    ahead = Math.min(ahead, state.key);
  }

  /** The step of the first read that is not served yet; -1 if all are. */
  long step() {
    ahead = Math.max(ahead, reads.first());
    return reads.step(ahead);
  }

  /** Goes on to the next read. */
  void serve() {
    ahead++;
  }
}
