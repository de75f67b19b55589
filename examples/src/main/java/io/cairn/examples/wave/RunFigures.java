package io.cairn.examples.wave;

import java.util.ArrayList;
import java.util.List;

/**
 * The figures of a run of several processes, one after the other, of which all but the last one are
 * killed. Not thread-safe.
 */
final class RunFigures {
  /** Bytes in use at a moment. */
  record Sample(long deviceBytes, long fileBytes) {}

  private final List<Sample> samples = new ArrayList<>();
  private Transfers ended = Transfers.NONE;

  /** Of the shot that runs, in this process. */
  private Transfers running = Transfers.NONE;

  private long recomputed;

  /** A shot goes on, after these transfers in this process. */
  void goesOn(Sample sample, Transfers transfers) {
    samples.add(sample);
    running = transfers;
  }

  /** A shot ended, after these transfers in this process. */
  void ends(long recomputedSteps, Transfers transfers) {
    recomputed += recomputedSteps;
    ended = ended.plus(transfers);
    running = Transfers.NONE;
  }

  /** The process was killed, in the midst of a shot. */
  void killed() {
    ended = ended.plus(running);
    running = Transfers.NONE;
  }

  /** Of all shots and processes; those of a killed one up to its last sample. */
  Transfers transfers() {
    return ended;
  }

  /** Steps that replaced states which a kill had lost. */
  long recomputed() {
    return recomputed;
  }

  List<Sample> samples() {
    return List.copyOf(samples);
  }
}
