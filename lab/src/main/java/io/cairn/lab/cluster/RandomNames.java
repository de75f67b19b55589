package io.cairn.lab.cluster;

import io.cairn.flush.store.StoreEntry;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The random parts of file names, in the order in which they were first used. Listings in that
 * order let a seed take the same course each time, although its names differ.
 */
final class RandomNames {
  private static final Pattern RANDOM =
      Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  private final Map<String, Integer> used = new HashMap<>();

  /** A file of this path is about to be made. */
  void use(String path) {
    Matcher parts = RANDOM.matcher(path);
    while (parts.find()) {
      used.putIfAbsent(parts.group(), used.size());
    }
  }

  List<StoreEntry> inOrder(List<StoreEntry> entries) {
    return entries.stream().sorted(Comparator.comparing(entry -> numbered(entry.name()))).toList();
  }

  private String numbered(String name) {
    return RANDOM
        .matcher(name)
        .replaceAll(part -> String.format("%08d", used.getOrDefault(part.group(), 0)));
  }
}
