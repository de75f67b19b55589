package io.cairn.adjoint;

import io.cairn.Region;
import java.util.List;

/**
 * A program whose steps are run forward and then reversed. Its steps are deterministic: from the
 * same state a step makes the same bytes, however often it runs. The thread that calls {@link
 * AdjointRunner} calls all methods.
 */
public interface AdjointProgram {
  /**
   * The memory that a step reads and writes: the state. Before the run it holds the initial state,
   * also where a killed run goes on.
   */
  List<Region> restart();

  /**
   * The memory that a reversal reads, as it is before the step. A part of {@link #restart}, or made
   * from it by each step and by {@link #restored}.
   */
  List<Region> read();

  /**
   * How many bytes of a region of {@link #read} count now, from its first on; -1 for all, as by
   * default. For fields that are compressed. The bytes must be the same whenever a step runs again.
   */
  default long readBytes(String region) {
    return -1;
  }

  /**
   * The memory that the backward pass carries, such as its fields and the gradient, and what the
   * forward pass leaves for it, such as a record. Steps and reversals may write it. Until the first
   * checkpoint the runner keeps a copy, for a group that starts afresh.
   */
  List<Region> adjoint();

  /**
   * The state was put back. A program whose regions of {@link #read} are no part of it makes them
   * from it here, such as a compressed field.
   */
  default void restored() {}

  /** Runs a step from the state before it. The runner may run a step again. */
  void step(long step);

  /** Reverses a step; the regions of {@link #read} are as before the step. */
  void reverse(long step);

  /**
   * Whether the step that comes next is the last one. Asked only by schedules that do not know
   * their end, with the state before the step in place.
   */
  default boolean isLast(long step) {
    throw new UnsupportedOperationException("this program does not say its end");
  }

  /**
   * The least of the numbers that all ranks of a coupled group give. All of them call it in the
   * same order. A rank alone returns its own.
   */
  default long least(long mine) {
    return mine;
  }
}
