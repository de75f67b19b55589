package io.cairn.training;

import io.cairn.Checkpointer;
import io.cairn.Digest;
import java.util.List;

/**
 * A training that a {@link Certifier} repeats, and what its framework knows of the bytes. Its
 * regions are native memory, or blobs. The adapter of a framework implements it. The thread of the
 * certifier calls all methods.
 */
public interface ReplayedProgram {
  /**
   * The blob that holds what the training keeps beside its memory, such as counters. A checkpoint
   * without it stays undecided if the training does not protect it either. If the training does,
   * the checkpoint lacks a region, and the certifier throws {@link io.cairn.RestoreException}.
   */
  String STATE = "training-state";

  /**
   * Resumes the training as at every start, and trains to its end, without a guard.
   *
   * @param checkpointer ends the training at the checkpoint that is verified, by a {@code
   *     CancellationException} that reaches the caller
   */
  void run(Checkpointer checkpointer);

  /** OpenMP threads that steps compute with in this process: sums depend on their number. */
  int threads();

  /** OpenMP threads that computed a {@link #STATE}. */
  int threads(byte[] state);

  /** The parts in which a {@link #STATE} differs from another one, for people. */
  List<String> differences(byte[] state, byte[] other);

  /** SHA-256 of native memory that nobody writes meanwhile. */
  Digest digest(long address, long bytes);
}
