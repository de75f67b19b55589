package io.cairn.lab.gpu.kit;

import java.util.List;

/**
 * A training of libtorch whose state is known by address: the parts that Cairn captures, and the
 * two halves of an iteration. All of them begin alike. One thread uses it.
 */
interface TorchTraining {
  /**
   * Memory of the state.
   *
   * @param passWrites whether {@link #pass} writes it; else {@link #step} alone does
   */
  record Span(long address, long bytes, boolean passWrites) {}

  /** The network. */
  record Size(long width, int layers, long batch) {}

  /** The memory of its state, where it computes; places and lengths stay. */
  List<Span> memory();

  /** The part of its state that is no memory, as bytes of this machine's order; small. */
  byte[] values();

  /** Sets {@link #values}. */
  void setValues(byte[] values);

  /** The stream of the GPU on which it computes; 0 is the default stream. */
  long stream();

  /** The forward and the backward pass of an iteration; returns the loss, once it is known. */
  double pass(int iteration);

  /** The optimiser's step of that iteration. It may return before the GPU has ended it. */
  void step(int iteration);
}
