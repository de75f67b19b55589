package io.cairn.engine.adjoint;

import io.cairn.core.session.Region;
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
   * The memory that a reversal reads, as it is before the step. Often a part of {@link #restart}; a
   * schedule that runs steps again demands that.
   */
  List<Region> read();

  /**
   * The memory that the backward pass carries, such as its fields and the gradient, and what the
   * forward pass leaves for it, such as a record. Steps and reversals may write it.
   */
  List<Region> adjoint();

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
