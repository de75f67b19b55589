package io.cairn.adjoint.history;

/** Chunks of a state that follow each other both on the device and on a shelf: one copy. */
final class Run {
  private Run() {}

  /** The end of the run that begins with a chunk, at most that limit. */
  static int end(State state, int from, int limit, Shelf shelf, int chunksPerSlab) {
    int end = from + 1;
    while (end < limit
        && state.device[end] == state.device[end - 1] + 1
        && state.device[end] % chunksPerSlab != 0
        && shelf.follows(state.below[end - 1], state.below[end])) {
      end++;
    }
    return end;
  }
}
