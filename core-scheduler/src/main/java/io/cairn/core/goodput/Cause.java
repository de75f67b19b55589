package io.cairn.core.goodput;

/** The causes that the time of a rank is attributed to, in the order of a manifest's entries. */
public enum Cause {
  /** Iterations that were computed for the first time. */
  TRAINING("training"),
  /** Checkpoints that stopped the training, and waits for them. */
  STALL("stall"),
  /** The time by which iterations took longer while checkpoints were on their way. */
  FLUSH("flush"),
  /** Iterations that an earlier attempt had computed already. */
  REDONE("redone"),
  /** From a rank's last sign of life to the begin of the process that takes its place. */
  DETECTION("detection"),
  /** From the begin of that process, or from the last sign of life in the same one, to the join. */
  RESTART("restart"),
  /** Restores, without waits for other ranks. */
  RESTORE("restore"),
  /** From the join to the first iteration, and the time by which first iterations took longer. */
  WARM_UP("warm-up"),
  /** Waits for other ranks to join and to agree. */
  WAITING("waiting"),
  /** Between a checkpoint and the next process, if nothing says how far the rank came. */
  UNKNOWN("unknown");

  private final String label;

  Cause(String label) {
    this.label = label;
  }

  /** The name for people, metrics and JSON. */
  public String label() {
    return label;
  }
}
