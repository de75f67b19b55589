package io.cairn;

/** The outcome of a capture, or of a checkpoint at one level. */
public sealed interface Outcome {
  /** The regions were read, or a level below DEVICE holds them; they may be written. */
  record Captured(long bytes) implements Outcome {}

  /** Every rank's data is held at the level; failures that the level survives roll back to it. */
  record Sealed(Level level) implements Outcome {}

  /**
   * The group's cadence does not send this iteration to the level, or the level cannot protect the
   * group where it runs, such as PEER on a single machine.
   */
  record NotDue(Level level) implements Outcome {}

  /** Skipped for the whole group, since room was short or a lower level was too slow. */
  record Skipped(String reason) implements Outcome {}

  /**
   * This rank's epoch is over, and its later writes do not count. {@link Checkpointer#restore()}
   * joins the group's next epoch, unless another attempt took this rank's place.
   */
  record Fenced(String reason) implements Outcome {}

  /** An error, or an unknown commit: the level may hold the checkpoint; nothing was deleted. */
  record Failed(String reason) implements Outcome {}
}
