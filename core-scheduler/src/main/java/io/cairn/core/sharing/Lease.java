package io.cairn.core.sharing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** One granted claim: what each of its positions is in. */
final class Lease {
  /** What a position is in. */
  enum State {
    /** The sender writes. */
    GRANTED,
    /** Filled, and compared with its checksum. */
    VERIFYING,
    /** Acknowledged. */
    HELD,
    /** Acknowledged, revoked, and being copied elsewhere. */
    MOVING,
    /** Acknowledged; in host memory or at NODE. */
    AWAY,
    /** Without a promise; the sender may still write. */
    QUARANTINED,
    /** Over. */
    GONE
  }

  final LeaseId id;
  final List<Integer> slots;
  private final State[] states;
  private final @Nullable FilledChunk[] filled;
  private final BitSet flushed = new BitSet();

  /** Positions away or gone whose slots somebody still reads. */
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

  /** Whether the position is in its slot, verified. */
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

  /** Whether the position is verified, or about to be, as just this; it is filled but once. */
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

  void flush(int position) {
    flushed.set(position);
  }

  boolean isFlushed(int position) {
    return flushed.get(position);
  }

  /** Takes the promise from what is not acknowledged; its sender may still write there. */
  void quarantine(String why, State state) {
    if (count(state) > 0) {
      ended = why;
      all(state).forEach(position -> become(position, State.QUARANTINED));
    }
  }

  /** Why what is not held any more is not; for people. */
  String ended() {
    return ended;
  }

  void move(List<Integer> positions, long untilNanos) {
    moveUntil = count(State.MOVING) == 0 ? untilNanos : Math.min(moveUntil, untilNanos);
    positions.forEach(position -> become(position, State.MOVING));
    pins++;
  }

  /** When something ends next by itself. */
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
      throw new IllegalStateException("nobody has pinned " + id);
    }
    pins--;
  }

  /** Takes a position out of its slot, which waits until nobody reads. */
  void vacate(int position, State next) {
    if (!is(position, State.AWAY) && !is(position, State.GONE)) {
      draining.set(position);
    }
    become(position, next);
  }

  /** The slots that have not returned to the cache. */
  List<Integer> lentSlots() {
    return positions(p -> draining.get(p) || !(is(p, State.AWAY) || is(p, State.GONE))).stream()
        .map(slots::get)
        .toList();
  }

  /** The slots that nobody writes or reads any more, once. */
  List<Integer> drained() {
    if (pins > 0 || draining.isEmpty()) {
      return List.of();
    }
    List<Integer> drained = draining.stream().mapToObj(slots::get).toList();
    draining.clear();
    return drained;
  }

  /** Nothing of it is left, though somebody may still read. */
  boolean gone() {
    return count(State.GONE) == states.length;
  }

  /** Nothing of it is left, and nobody reads. */
  boolean over() {
    return gone() && pins == 0;
  }
}
