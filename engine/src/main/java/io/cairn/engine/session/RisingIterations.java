package io.cairn.engine.session;

import io.cairn.CheckpointId;
import io.cairn.Member;
import java.util.Locale;

/** The iterations of one rank's checkpoints, which rise within an epoch. Not thread-safe. */
final class RisingIterations {
  private final Member member;
  private long last = -1;

  /** No iteration yet. */
  RisingIterations(Member member) {
    this.member = member;
  }

  /** The last one; -1 before the first. */
  long last() {
    return last;
  }

  /** A new epoch begins after an iteration; -1 for the very start. */
  void restart(long iteration) {
    last = iteration;
  }

  /**
   * Checks one before anything changes: an iteration without a legal name would allow no later one.
   *
   * @throws IllegalArgumentException if no checkpoint can have it
   */
  void requireLegal(long iteration) {
    if (iteration < 0 || iteration > CheckpointId.MAX_NUMBER) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s: iteration %d: give 0 to %d",
              member,
              iteration,
              CheckpointId.MAX_NUMBER));
    }
  }

  /**
   * Goes on to the next one.
   *
   * @param ending whether it may be the last one again
   * @throws IllegalArgumentException if it does not rise
   */
  void advance(long iteration, boolean ending, long epoch) {
    if (iteration < last || (iteration == last && !ending)) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              ("%s: iteration %d after %d in epoch %d: iterations must rise within an epoch;"
                  + " restore() begins a new one"),
              member,
              iteration,
              last,
              epoch));
    }
    last = iteration;
  }
}
