package io.cairn.spark.ui.model;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Bounds for parts of a record that may come from a damaged log. */
final class Rows {
  /** Characters of a name or a reason. */
  static final int LONGEST_TEXT = 300;

  private Rows() {}

  /** The text without its end beyond the bound; empty for null. */
  static String text(@Nullable String text) {
    return text(text, LONGEST_TEXT);
  }

  /** The same, with this bound. */
  static String text(@Nullable String text, int longest) {
    if (text == null) {
      return "";
    }
    return text.length() <= longest ? text : text.substring(0, longest - 1) + "…";
  }

  /** The first entries, without nulls. */
  static <T> List<T> list(@Nullable List<T> list, int most) {
    if (list == null) {
      return List.of();
    }
    return list.stream().filter(Objects::nonNull).limit(most).toList();
  }

  /** The first entries with clipped keys, without nulls, in their order. */
  static <V> Map<String, V> map(@Nullable Map<String, V> map, int most) {
    Map<String, V> bounded = new LinkedHashMap<>();
    if (map != null) {
      map.forEach(
          (key, value) -> {
            if (value != null && bounded.size() < most) {
              bounded.put(text(key), value);
            }
          });
    }
    return Collections.unmodifiableMap(bounded);
  }
}
