package io.cairn.lab.study.reproduce;

import java.util.List;

/**
 * One table or figure, computed again.
 *
 * @param id of its tables and pictures
 * @param title for people
 * @param source the paper
 * @param summary what came out, in a sentence or two
 * @param pictures names of its pictures, without their endings
 * @param comparisons printed numbers and ours
 * @param notes what a reader should know
 */
record Finding(
    String id,
    String title,
    String source,
    String summary,
    List<String> pictures,
    List<Comparison> comparisons,
    List<Note> notes) {

  /** Takes copies. */
  Finding {
    pictures = List.copyOf(pictures);
    comparisons = List.copyOf(comparisons);
    notes = List.copyOf(notes);
  }

  /** How many printed numbers stand so to ours. */
  long count(Agreement agreement) {
    return comparisons.stream().filter(each -> each.agreement() == agreement).count();
  }

  /** The verdict, in a word or two. */
  String verdict() {
    if (comparisons.isEmpty()) {
      return "nothing printed to compare";
    }
    long differ = count(Agreement.DIFFERS);
    List<Comparison> off =
        comparisons.stream()
            .filter(each -> each.agreement() == Agreement.DIFFERS || each.misprinted())
            .toList();
    if (off.isEmpty()) {
      return "reproduces";
    }
    if (off.stream().allMatch(Comparison::misprinted)) {
      return "reproduces but for a misprint";
    }
    return differ == comparisons.size() ? "does not reproduce" : "reproduces in part";
  }
}
