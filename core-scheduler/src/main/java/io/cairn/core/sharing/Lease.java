package io.cairn.core.sharing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * One granted lease. Each position, which is one slot for one chunk, has a state of its own:
 *
 * <ul>
 *   <li>Granted => Verifying: when the borrower reports the slot filled
 *   <li>Granted => Quarantined: when the lease expires before its borrower releases it, a later
 *       epoch of the group begins, or the trainer takes the slot back
 *   <li>Granted => Returned: when the borrower releases the slot, or is confirmed dead
 *   <li>Verifying => Held: when the chunk has its checksum
 *   <li>Verifying => Quarantined: when the chunk is damaged, or a later epoch of the group begins
 *   <li>Verifying => Draining: when the borrower releases the slot, or is confirmed dead
 *   <li>Held => Moving: when the trainer takes the slot back by a deadline
 *   <li>Held => Away: when the trainer takes the slot back and the chunk has a copy at NODE
 *   <li>Held => Returned: when the borrower releases the slot, or is confirmed dead, or the trainer
 *       takes the slot back at once
 *   <li>Moving => Away: when the chunk is dropped or not moved in time, but has a copy at NODE
 *   <li>Moving => Draining: when the chunk is not moved in time, the borrower releases the slot, or
 *       is confirmed dead
 *   <li>Moving => Returned: when the chunk was dropped instead of moved
 *   <li>Away => Returned: when the borrower releases the position, or is confirmed dead
 *   <li>Quarantined => Returned: when the borrower releases the slot, or is confirmed dead
 *   <li>Draining => Returned: when the last reader has ended
 * </ul>
 *
 * <p>A slot whose lease is pinned drains before it returns, from whatever state. {@code
 * docs/LEASES.md} has the table of events, generated from the lease book.
 */
final class Lease {
  /** The state of a position. */
  enum State {
    /** The borrower may write. */
    GRANTED,
    /** Filled; the lender compares the chunk with its checksum. */
    VERIFYING,
    /** Verified and acknowledged. */
    HELD,
    /** Acknowledged, revoked, and being copied elsewhere. */
    MOVING,
    /** Acknowledged; the chunk is at NODE, and the slot has returned. */
    AWAY,
    /** Without a promise; the borrower may still write. */
    QUARANTINED,
    /** Over; the slot has returned, or drains while the lease is pinned. */
    GONE
  }

  final LeaseId id;
  final List<Integer> slots;
  private final State[] states;
  private final @Nullable FilledChunk[] filled;
  private final BitSet flushed = new BitSet();

  /** Positions away or gone whose slots have not returned, since the lease is pinned. */
  private final BitSet draining = new BitSet();

  private final Map<State, Integer> counts = new EnumMap<>(State.class);
  private final long fillUntil;
  private long moveUntil;

  /** Verifications, moves and readers that have not ended. */
  private int pins;

  private String ended = "it is not being filled";

  Lease(LeaseId id, List<Integer> slots, long fillUntil) {
    this.id = id;
    this.slots = List.copyOf(slots);
    this.fillUntil = fillUntil;
    this.states = new State[slots.size()];
    this.filled = new FilledChunk[slots.size()];
    Arrays.fill(states, State.GRANTED);
    counts.put(State.GRANTED, states.length);
  }

  int count(State state) {
    return counts.getOrDefault(state, 0);
  }

  int draining() {
    return draining.cardinality();
  }

  boolean is(int position, State state) {
    return position < states.length && states[position] == state;
  }

  /** Whether the verified chunk of the position is in its slot. */
  boolean holds(int position) {
    return is(position, State.HELD) || is(position, State.MOVING);
  }

  void become(int position, State state) {
    counts.merge(states[position], -1, Integer::sum);
    counts.merge(state, 1, Integer::sum);
    states[position] = state;
  }

  /** The positions for which this is so, in order. */
  List<Integer> positions(IntPredicate which) {
    List<Integer> positions = new ArrayList<>();
    for (int position = 0; position < states.length; position++) {
      if (which.test(position)) {
        positions.add(position);
      }
    }
    return positions;
  }

  List<Integer> all(State state) {
    return count(state) == 0 ? List.of() : positions(position -> states[position] == state);
  }

  void fill(FilledChunk chunk) {
    filled[chunk.position()] = chunk;
    become(chunk.position(), State.VERIFYING);
  }

  /** Whether the position holds exactly this chunk, or will once it is verified. */
  boolean promises(FilledChunk chunk) {
    int position = chunk.position();
    return position < states.length
        && chunk.equals(filled[position])
        && (is(position, State.VERIFYING) || holds(position) || is(position, State.AWAY));
  }

  FilledChunk chunk(int position) {
    FilledChunk chunk = filled[position];
    if (chunk == null) {
      throw new IllegalStateException("position " + position + " of " + id + " was never filled");
    }
    return chunk;
  }

  LeasedChunk held(int position) {
    return new LeasedChunk(slots.get(position), chunk(position));
  }

  /** The chunk at this position has a copy at NODE; of a position that holds none, ignored. */
  void flush(int position) {
    if (is(position, State.VERIFYING) || holds(position)) {
      flushed.set(position);
    }
  }

  boolean isFlushed(int position) {
    return flushed.get(position);
  }

  /** Ends the promise of positions that are not acknowledged; the borrower may still write. */
  void quarantine(String why, State state) {
    if (count(state) > 0) {
      ended = why;
      all(state).forEach(position -> become(position, State.QUARANTINED));
    }
  }

  /** The reason why positions are not held any more, for people. */
  String ended() {
    return ended;
  }

  void move(List<Integer> positions, long untilNanos) {
    moveUntil = count(State.MOVING) == 0 ? untilNanos : Math.min(moveUntil, untilNanos);
    positions.forEach(position -> become(position, State.MOVING));
    pins++;
  }

  /** The next time at which a promise ends by itself. */
  long deadline() {
    return Math.min(
        count(State.GRANTED) > 0 ? fillUntil : Long.MAX_VALUE,
        count(State.MOVING) > 0 ? moveUntil : Long.MAX_VALUE);
  }

  boolean fillIsOver(long nowNanos) {
    return count(State.GRANTED) > 0 && fillUntil <= nowNanos;
  }

  boolean moveIsOver(long nowNanos) {
    return count(State.MOVING) > 0 && moveUntil <= nowNanos;
  }

  void pin() {
    pins++;
  }

  void unpin() {
    if (pins == 0) {
      throw new IllegalStateException("no pin is open on " + id);
    }
    pins--;
  }

  /** Ends the use of a slot, which returns when no pin is open. */
  void vacate(int position, State next) {
    if (!is(position, State.AWAY) && !is(position, State.GONE)) {
      draining.set(position);
    }
    become(position, next);
  }

  /** Ends all positions. */
  void release() {
    positions(position -> true).forEach(position -> vacate(position, State.GONE));
  }

  /** The slots that have not returned to the cache. */
  List<Integer> lentSlots() {
    return positions(p -> draining.get(p) || !(is(p, State.AWAY) || is(p, State.GONE))).stream()
        .map(slots::get)
        .toList();
  }

  /** The slots that return now; each is reported once. */
  List<Integer> drained() {
    if (pins > 0 || draining.isEmpty()) {
      return List.of();
    }
    List<Integer> drained = draining.stream().mapToObj(slots::get).toList();
    draining.clear();
    return drained;
  }

  /** Whether no position is left, though a reader may have the lease pinned. */
  boolean gone() {
    return count(State.GONE) == states.length;
  }

  /** Whether no position is left and no pin is open. */
  boolean over() {
    return gone() && pins == 0;
  }
}
