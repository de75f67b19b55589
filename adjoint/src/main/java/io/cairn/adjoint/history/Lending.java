package io.cairn.adjoint.history;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * Chunks that one history lends to another one, on both sides. Each method takes the monitor of its
 * ledger alone.
 */
final class Lending {
  private final Ledger ledger;
  private final Residents residents;
  private final Expectation expectation;
  private final Descent descent;
  private final StepIndex index;

  Lending(
      Ledger ledger,
      Residents residents,
      Expectation expectation,
      Descent descent,
      StepIndex index) {
    this.ledger = ledger;
    this.residents = residents;
    this.expectation = expectation;
    this.descent = descent;
    this.index = index;
  }

  /** Chunks of the device that the states to come leave free; below zero, those that they miss. */
  long spareChunks() {
    synchronized (ledger) {
      return residents.available() - expectation.chunks(ledger.isReading());
    }
  }

  /** Free chunks of all rooms. */
  long freeBelow() {
    synchronized (ledger) {
      return residents.rooms.stream().mapToLong(Room::free).sum();
    }
  }

  /** Takes chunks that nobody will miss, up to a number, for another history. */
  int[] lend(long most) {
    synchronized (ledger) {
      long spare = Math.min(spareChunks(), residents.device.free());
      int[] chunks = new int[(int) Math.max(0, Math.min(most, spare))];
      residents.device.take(chunks, chunks.length);
      return chunks;
    }
  }

  /** Chunks come back from another history. */
  void takeBack(int[] chunks) {
    synchronized (ledger) {
      residents.device.give(chunks, chunks.length);
      ledger.notifyAll();
    }
  }

  /** A room has so many chunks from now on; it had none. */
  void borrowed(Room room, int chunks) {
    synchronized (ledger) {
      room.restart(chunks);
      ledger.notifyAll();
    }
  }

  /**
   * Takes all chunks from a room, if no state lies there that is still needed; whether it could.
   */
  boolean returns(Room room) {
    synchronized (ledger) {
      if (!ledger.isClosed() && room.chunks.used() > 0) {
        return false;
      }
      awaitLastMoves();
      room.chunks.restart(0);
      descent.recalled(null);
      return true;
    }
  }

  /** A history that closes ends its moves first: they may write to what others lent. */
  private void awaitLastMoves() {
    if (ledger.isClosed()) {
      ledger.awaitMoves();
    }
  }

  /**
   * Chunks of a room are gone, and no copy reaches them any more. States that lay there alone are
   * lost; those on the device stay. Waits for states that are moved or read. The room takes no
   * further state.
   *
   * @return the lost steps
   */
  List<Long> lose(Room room, IntPredicate gone) {
    List<Long> lost = new ArrayList<>();
    synchronized (ledger) {
      room.retire();
      while (losesAll(room, gone, lost) && !ledger.isClosed()) {
        ledger.pause();
      }
      // A state on its way to another room has failed there, too.
      descent.forgetFailures();
      ledger.notifyAll();
    }
    return lost;
  }

  /** Whether a state is left that somebody moves or reads. */
  private boolean losesAll(Room room, IntPredicate gone, List<Long> lost) {
    boolean busy = false;
    for (State state : index.all(each -> each.hasGone(room, gone))) {
      if (state.moving || state.pinned) {
        busy = true;
      } else if (state.onDevice) {
        residents.goneBelow(state);
      } else {
        lost.add(state.step);
        ledger.lose(state);
      }
    }
    return busy;
  }

  /**
   * Moves all states of a room to slower ones, and waits for that; whether all found room there.
   */
  boolean evacuate(Room room) {
    synchronized (ledger) {
      descent.recalled(room);
      ledger.notifyAll();
      boolean left = false;
      try {
        while (!ledger.isClosed() && room.chunks.used() > 0 && !descent.isRecallStuck()) {
          ledger.pause();
        }
        awaitLastMoves();
        left = ledger.isClosed() || room.chunks.used() == 0;
      } finally {
        if (!left) {
          descent.recalled(null);
        }
      }
      return left;
    }
  }
}
