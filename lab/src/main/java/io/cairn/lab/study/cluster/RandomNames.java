package io.cairn.lab.study.cluster;

import io.cairn.flush.store.StoreEntry;
import io.cairn.internal.PaddedNumber;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The random parts of file names, in the order in which they were first used. Listings in that
 * order let a seed take the same course each time, although its names differ.
 */
final class RandomNames {
  private static final Pattern RANDOM =
      Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
  private static final int RANDOM_LENGTH = 36;

  private final Map<String, Integer> used = new HashMap<>();

  /** Directories whose names were looked at. */
  private final Set<String> directories = new HashSet<>();

  private record Numbered(String name, StoreEntry entry) {}

  /** A file of this path is about to be made. */
  void use(String path) {
    int name = path.lastIndexOf('/') + 1;
    String directory = path.substring(0, name);
    if (directories.add(directory)) {
      number(directory);
    }
    number(path.substring(name));
  }

  private void number(String text) {
    if (text.length() >= RANDOM_LENGTH) {
      Matcher parts = RANDOM.matcher(text);
      while (parts.find()) {
        used.putIfAbsent(parts.group(), used.size());
      }
    }
  }

  List<StoreEntry> inOrder(List<StoreEntry> entries) {
    if (entries.stream().noneMatch(entry -> entry.name().length() >= RANDOM_LENGTH)) {
      return entries;
    }
    List<Numbered> numbered = new ArrayList<>();
    entries.forEach(entry -> numbered.add(new Numbered(numbered(entry.name()), entry)));
    return numbered.stream()
        .sorted(Comparator.comparing(Numbered::name))
        .map(Numbered::entry)
        .toList();
  }

  private String numbered(String name) {
    return name.length() < RANDOM_LENGTH
        ? name
        : RANDOM
            .matcher(name)
            .replaceAll(part -> PaddedNumber.of(used.getOrDefault(part.group(), 0), 8));
  }
}
