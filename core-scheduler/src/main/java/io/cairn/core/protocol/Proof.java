package io.cairn.core.protocol;

/** How much the problem of a stored checkpoint proves. */
public enum Proof {
  /** The data, or a part of it, is damaged. */
  DAMAGE,
  /** Nothing: a later read may find the checkpoint whole. */
  PASSING,
  /** Nothing: only a mark shows that there was a checkpoint. */
  HEARSAY
}
