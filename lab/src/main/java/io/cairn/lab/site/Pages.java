package io.cairn.lab.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * All pages of the project: those at its root, and those below {@code docs}.
 *
 * @param root of the project
 * @param byFile pages by their files
 */
record Pages(Path root, SortedMap<Path, MarkdownPage> byFile) {
  private static final Pattern ELSEWHERE = Pattern.compile("(?i)[a-z][a-z0-9+.-]*:.*");

  /** Reads them. */
  static Pages read(Path root) throws IOException {
    SortedMap<Path, MarkdownPage> pages = new TreeMap<>();
    try (Stream<Path> top = Files.list(root);
        Stream<Path> docs = Files.walk(root.resolve("docs"))) {
      for (Path file : (Iterable<Path>) Stream.concat(top, docs)::iterator) {
        if (file.toString().endsWith(".md")) {
          Path normal = file.toAbsolutePath().normalize();
          pages.put(normal, MarkdownPage.read(normal));
        }
      }
    }
    return new Pages(root.toAbsolutePath().normalize(), pages);
  }

  /** Whether a link leads out of the project; such links are not followed. */
  static boolean isElsewhere(String link) {
    return ELSEWHERE.matcher(link).matches();
  }

  /** The file that a link of a page leads to, with no regard to its anchor. */
  static Path target(MarkdownPage page, String link) {
    String path = link.contains("#") ? link.substring(0, link.indexOf('#')) : link;
    return path.isEmpty() ? page.file() : page.file().resolveSibling(path).normalize();
  }

  /** A line for each link to a file or heading that does not exist. */
  List<String> brokenLinks() {
    List<String> broken = new ArrayList<>();
    for (MarkdownPage page : byFile.values()) {
      for (String link : page.links()) {
        if (!isElsewhere(link) && !leadsSomewhere(page, link)) {
          broken.add(root.relativize(page.file()) + " links to " + link);
        }
      }
    }
    return broken;
  }

  private boolean leadsSomewhere(MarkdownPage page, String link) {
    Path file = target(page, link);
    if (!file.startsWith(root) || !Files.exists(file)) {
      return false;
    }
    MarkdownPage there = byFile.get(file);
    int hash = link.indexOf('#');
    return hash < 0 || there == null || there.anchors().containsValue(link.substring(hash + 1));
  }
}
