package io.cairn.lab.planted;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the lists of defects. A defect begins with its name in brackets. Lines {@code in:}, {@code
 * caught by:} and {@code harm:} follow, then lines of the original text after {@code -} and lines
 * of the replacement after {@code +}. Lines after {@code #} are comments.
 */
final class DefectList {
  static final List<String> AREAS =
      List.of(
          "protocol",
          "carriers",
          "nodes",
          "stores",
          "restore",
          "layers",
          "regions",
          "gathered",
          "writers",
          "kernels",
          "cuda",
          "adjoint",
          "goodput",
          "trainings",
          "mirrors",
          "tools",
          "pages",
          "standby",
          "threads",
          "ui");

  private final String area;
  private final List<Defect> defects = new ArrayList<>();
  private final Map<String, String> fields = new HashMap<>();
  private final List<String> original = new ArrayList<>();
  private final List<String> replacement = new ArrayList<>();

  private DefectList(String area) {
    this.area = area;
  }

  /** All defects, in the order of the lists. */
  static List<Defect> all() throws IOException {
    List<Defect> all = new ArrayList<>();
    for (String area : AREAS) {
      try (InputStream in = DefectList.class.getResourceAsStream("/planted/" + area + ".txt")) {
        if (in == null) {
          throw new IOException("there is no list of defects for " + area);
        }
        all.addAll(parse(area, new String(in.readAllBytes(), StandardCharsets.UTF_8)));
      }
    }
    return all;
  }

  /**
   * The defects of one list.
   *
   * @throws IllegalArgumentException naming the line that fits no form
   */
  static List<Defect> parse(String area, String text) {
    DefectList list = new DefectList(area);
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      if (!line.isBlank() && !line.startsWith("#") && !list.take(line)) {
        throw new IllegalArgumentException(area + ", line " + number + ": " + line);
      }
    }
    list.end();
    return list.defects;
  }

  private boolean take(String line) {
    if (line.startsWith("[") && line.endsWith("]")) {
      end();
      fields.put("name", line.substring(1, line.length() - 1));
      return true;
    } else if (line.equals("-") || line.startsWith("- ")) {
      return original.add(line.substring(1).strip());
    } else if (line.equals("+") || line.startsWith("+ ")) {
      return replacement.add(line.substring(1).strip());
    }
    for (String field : List.of("in", "caught by", "harm")) {
      if (line.startsWith(field + ": ")) {
        return fields.put(field, line.substring(field.length() + 2).strip()) == null;
      }
    }
    return false;
  }

  private void end() {
    if (fields.isEmpty()) {
      return;
    }
    try {
      defects.add(
          new Defect(
              fields.getOrDefault("name", ""),
              fields.getOrDefault("in", ""),
              List.of(fields.getOrDefault("caught by", "").split(", ")),
              fields.getOrDefault("harm", ""),
              String.join("\n", original),
              String.join("\n", replacement)));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(area + ": " + e.getMessage(), e);
    }
    fields.clear();
    original.clear();
    replacement.clear();
  }
}
