package io.cairn.core.flow.topology;

import java.util.Arrays;

/** Levenshtein distance: the letters to insert, delete or replace. O(n·m) time, O(m) space. */
final class EditDistance {
  private EditDistance() {}

  static int between(String one, String other) {
    int[] above = new int[other.length() + 1];
    Arrays.setAll(above, column -> column);
    for (int row = 1; row <= one.length(); row++) {
      int[] here = new int[above.length];
      here[0] = row;
      for (int column = 1; column < here.length; column++) {
        int replace = one.charAt(row - 1) == other.charAt(column - 1) ? 0 : 1;
        here[column] =
            Math.min(above[column - 1] + replace, Math.min(above[column], here[column - 1]) + 1);
      }
      above = here;
    }
    return above[other.length()];
  }
}
