package io.cairn.lab.bench.flow;

import java.util.Locale;

/** Parts of the run that can be chosen. */
enum Family {
  /** Dense, and its floor. */
  DENSE,
  /** Uniform all-to-all. */
  UNIFORM,
  /** Nodes behind network cards. */
  CLUSTERS,
  /** Other algorithms, beside ours. */
  RIVALS,
  /** The allocation of a solve. */
  ALLOCATION;

  /** As it is typed. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
