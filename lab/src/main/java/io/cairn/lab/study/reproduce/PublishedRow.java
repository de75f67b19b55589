package io.cairn.lab.study.reproduce;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A row of Table 2 or 3 of the pattern paper, its numbers as printed.
 *
 * @param subset the levels in use, counted from 1
 * @param totals their checkpoints per pattern
 * @param length of the pattern in seconds
 * @param simulated overhead
 * @param theoretical overhead, to first order
 * @param absoluteDifference of the two, in points of percent
 * @param relativeDifference of the two, in percent of the simulated one
 * @param lowerBound of the subset; null where the table leaves it blank
 */
record PublishedRow(
    List<Integer> subset,
    List<Integer> totals,
    String length,
    String simulated,
    String theoretical,
    String absoluteDifference,
    String relativeDifference,
    @Nullable String lowerBound) {

  /** Checkpoints of each level in use but the highest, per checkpoint of the next one. */
  List<Integer> counts() {
    List<Integer> counts = new ArrayList<>();
    for (int index = 0; index + 1 < totals.size(); index++) {
      counts.add(totals.get(index) / totals.get(index + 1));
    }
    return counts;
  }

  /** The levels as the tables write them: {@code {1,3}}. */
  String levelsText() {
    return subset.stream().map(String::valueOf).collect(Collectors.joining(",", "{", "}"));
  }

  /** The checkpoints: {@code 14/1}. */
  String totalsText() {
    return totals.stream().map(String::valueOf).collect(Collectors.joining("/"));
  }

  /** Names the row. */
  String name() {
    return levelsText() + " " + totalsText();
  }
}
