package io.cairn.lab.study.pattern;

import java.util.Locale;

/** The cost of the recovery from a failure of level ℓ. */
public enum RecoveryCost {
  /** The recoveries of all levels in use up to ℓ: the lower ones are filled again. */
  CUMULATIVE,
  /** The recovery of level ℓ alone. */
  OWN;

  /** The name as users write it: in lower case, with hyphens. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
