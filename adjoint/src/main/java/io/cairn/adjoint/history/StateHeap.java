package io.cairn.adjoint.history;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * States, of which the one that is read last is at hand. A state is in one heap at most. O(log
 * states) per change. Not thread-safe.
 */
final class StateHeap {
  private @Nullable State[] states = new State[64];
  private int size;

  boolean isEmpty() {
    return size == 0;
  }

  /** The state that is read last. */
  @Nullable State last() {
    return size == 0 ? null : states[0];
  }

  void add(State state) {
    if (size == states.length) {
      states = Arrays.copyOf(states, 2 * size);
    }
    size++;
    rise(state, size - 1);
  }

  /** Whether it was there, and is not any more. */
  boolean remove(State state) {
    int at = state.place;
    if (at < 0 || at >= size || states[at] != state) {
      return false;
    }
    state.place = -1;
    size--;
    State moved = states[size];
    states[size] = null;
    if (at < size && moved != null) {
      sink(moved, at);
      if (moved.place == at) {
        rise(moved, at);
      }
    }
    return true;
  }

  /** Orders all states by their keys of now. */
  void reorder() {
    State[] all = Arrays.copyOf(states, size);
    size = 0;
    for (State state : all) {
      add(state);
    }
  }

  private void rise(State state, int from) {
    int at = from;
    while (at > 0) {
      State above = states[(at - 1) / 2];
      if (above == null || above.key >= state.key) {
        break;
      }
      put(above, at);
      at = (at - 1) / 2;
    }
    put(state, at);
  }

  private void sink(State state, int from) {
    int at = from;
    while (2 * at + 1 < size) {
      int below = 2 * at + 1;
      State later = states[below];
      State other = below + 1 < size ? states[below + 1] : null;
      if (other != null && later != null && other.key > later.key) {
        later = other;
        below++;
      }
      if (later == null || later.key <= state.key) {
        break;
      }
      put(later, at);
      at = below;
    }
    put(state, at);
  }

  private void put(State state, int at) {
    states[at] = state;
    state.place = at;
  }
}
