package io.cairn.lab.study.pattern;

import java.util.Locale;

/** When failures strike. */
public enum FailureModel {
  /** During computation alone; checkpoints and recoveries are safe. */
  COMPUTATION_ONLY,
  /**
   * During computation, checkpoints and recoveries. Each checkpoint of the chain that ends a
   * segment counts from its own end; a recovery that fails starts again, at the higher of both
   * levels.
   */
  EVERYWHERE,
  /**
   * During computation and checkpoints, not during recoveries. The chain of checkpoints that ends a
   * segment is atomic: a failure in it loses the segment.
   */
  ATOMIC_CHAIN_EXCEPT_RECOVERY;

  /** The name as users write it: in lower case, with hyphens. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
