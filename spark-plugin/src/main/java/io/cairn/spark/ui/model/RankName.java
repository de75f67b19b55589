package io.cairn.spark.ui.model;

import java.util.Comparator;

/** A rank of a group, in the order of pages: by group, then by number. */
public record RankName(String group, int rank) implements Comparable<RankName> {
  private static final Comparator<RankName> ORDER =
      Comparator.comparing(RankName::group).thenComparingInt(RankName::rank);

  /** Clips the group's name. */
  public RankName {
    group = Rows.text(group);
  }

  @Override
  public int compareTo(RankName other) {
    return ORDER.compare(this, other);
  }
}
