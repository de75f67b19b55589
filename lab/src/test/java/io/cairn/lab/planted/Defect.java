package io.cairn.lab.planted;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A change of one source that a test has to notice. Texts are compared line by line without
 * indentation, so that a formatter changes nothing. Immutable.
 *
 * @param name unique, in lower case
 * @param type full name of the changed class, or path of a changed kernel source in the repository
 * @param tests full names of the test classes that have to notice, or of methods after a {@code #}
 * @param harm the consequence for a user
 * @param original text that occurs once in the source
 * @param replacement text in its place; empty if it is deleted
 */
record Defect(
    String name,
    String type,
    List<String> tests,
    String harm,
    String original,
    String replacement) {
  Defect {
    tests = List.copyOf(tests);
    if (name.isBlank() || type.isBlank() || tests.isEmpty() || harm.isBlank()) {
      throw new IllegalArgumentException(
          "defect '" + name + "' lacks one of: name, in, caught by, harm");
    }
    if (original.isBlank() || original.equals(replacement)) {
      throw new IllegalArgumentException("defect '" + name + "' changes nothing");
    }
  }

  /** Whether the changed source is one of a kernel, not of a class. */
  boolean isInKernel() {
    return type.endsWith(".cu") || type.endsWith(".h");
  }

  /** The number of places in a source where the original text stands. */
  int occurrences(String source) {
    String text = flat(source);
    int count = 0;
    for (int at = text.indexOf(original); at >= 0; at = text.indexOf(original, at + 1)) {
      count++;
    }
    return count;
  }

  /**
   * The source with this defect.
   *
   * @throws IllegalArgumentException if the original text does not occur exactly once
   */
  String plantInto(String source) {
    int found = occurrences(source);
    if (found != 1) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "defect '%s': its text occurs %d times in %s, not once; correct the list",
              name,
              found,
              type));
    }
    String text = flat(source);
    int at = text.indexOf(original);
    return text.substring(0, at) + replacement + text.substring(at + original.length());
  }

  /** A text without indentation. */
  private static String flat(String text) {
    return text.lines().map(String::strip).collect(Collectors.joining("\n"));
  }
}
