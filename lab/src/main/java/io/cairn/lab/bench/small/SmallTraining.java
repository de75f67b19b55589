package io.cairn.lab.bench.small;

/** A training of few bytes that runs with checkpoints and without. Not thread-safe. */
interface SmallTraining extends AutoCloseable {
  /** Iterations without checkpoints. */
  void bare(int iterations);

  /** Iterations with checkpoints; returns when the last one of them is captured. */
  void checkpointed(int iterations);

  /** Waits until what they sent down has arrived. */
  void settle();

  /** How many checkpoints have been captured so far. */
  long captured();

  /** How many have been sealed at STORE so far. */
  long stored();

  /** Bytes of its state. */
  long bytes();

  @Override
  void close();
}
