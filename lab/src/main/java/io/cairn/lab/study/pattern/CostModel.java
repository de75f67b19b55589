package io.cairn.lab.study.pattern;

import java.util.Locale;

/** The cost of a checkpoint when levels below it are left out. */
public enum CostModel {
  /** The same: each level's cost stands by itself. */
  INDEPENDENT,
  /** More: a cost is what the level adds to the one below, so it takes on those left out. */
  INCREMENTAL;

  /** The name as users write it: in lower case, with hyphens. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
