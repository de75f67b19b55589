package io.cairn.core.sharing;

import java.util.List;
import java.util.Locale;

/** The ranges of the values in messages. */
final class Bounds {
  /** The most chunks that one message or lease names. */
  static final int MOST_CHUNKS = 1_000_000;

  /** Characters of a holder's id and of a node's name. */
  private static final int LONGEST_NAME = 255;

  private Bounds() {}

  static void name(String what, String name) {
    if (name.isEmpty() || name.length() > LONGEST_NAME) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT, "%s has 1 to %d characters, not %d", what, LONGEST_NAME, name.length()));
    }
  }

  static void range(String what, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "%s is %d to %d, not %d", what, least, most, value));
    }
  }

  /** A copy of slots or positions. */
  static List<Integer> numbers(String what, List<Integer> numbers) {
    range("the number of " + what, numbers.size(), 0, MOST_CHUNKS);
    for (int number : numbers) {
      range("one of the " + what, number, 0, Integer.MAX_VALUE);
    }
    return List.copyOf(numbers);
  }
}
