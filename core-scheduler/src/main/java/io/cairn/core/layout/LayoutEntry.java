package io.cairn.core.layout;

import io.cairn.Layout;
import io.cairn.internal.Box;
import io.cairn.internal.PathSegment;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The layout of a region as an entry of a manifest, such as {@code slice float 100x40 at 0x20 of
 * 100x20}. Immutable.
 *
 * @param layout of the region
 * @param element of a slice, such as {@code float}; empty for other layouts
 */
public record LayoutEntry(Layout layout, String element) {
  /** The longest text of an entry. */
  public static final int MAX_TEXT = 128;

  private static final String PER_RANK = "rank";
  private static final String DROPPABLE = "rank or dropped";
  private static final String REPLICATED = "replicated";

  /** The number of dimensions is bounded here, the numbers where they are read. */
  private static final Pattern SLICE =
      Pattern.compile("slice (\\S+) ([0-9x]+) at ([0-9x]+) of ([0-9x]+)");

  private static final Pattern NUMBER = Pattern.compile("0|[1-9][0-9]{0,18}");

  /**
   * Checks element and length.
   *
   * @throws IllegalArgumentException if a slice has no element of one word, or its text is too long
   */
  public LayoutEntry {
    if (layout.isSlice() && !PathSegment.isLegal(element)) {
      throw new IllegalArgumentException(
          "a slice has elements of one word, such as float, and not '" + element + "'");
    }
    if (text(layout, element).length() > MAX_TEXT) {
      throw new IllegalArgumentException(
          String.format(
                  Locale.ROOT,
                  "layout '%s' is longer than the %d characters of a manifest's entry: merge"
                      + " dimensions that",
                  text(layout, element),
                  MAX_TEXT)
              + " no rank divides");
    }
  }

  /** The layout of a region that belongs to its rank alone. */
  public static LayoutEntry perRank() {
    return new LayoutEntry(Layout.perRank(), "");
  }

  /** The layout of a region that belongs to its rank, and that another group does without. */
  public static LayoutEntry droppable() {
    return new LayoutEntry(Layout.perRankOrDropped(), "");
  }

  /** The layout of a region with the same bytes on every rank. */
  public static LayoutEntry replicated() {
    return new LayoutEntry(Layout.replicated(), "");
  }

  /** The array that a slice is a part of. */
  Box whole() {
    return whole(layout);
  }

  private static Box whole(Layout slice) {
    return Box.whole(slice.globalShape());
  }

  /** The elements of a slice. */
  Box part() {
    return part(layout);
  }

  /** The elements of this slice. */
  public static Box part(Layout slice) {
    return new Box(slice.offset(), slice.shape());
  }

  /** The text in a manifest. */
  public String text() {
    return text(layout, element);
  }

  private static String text(Layout layout, String element) {
    if (layout.isSlice()) {
      return "slice %s %s at %s".formatted(element, whole(layout).shapeText(), part(layout));
    } else if (layout.isReplicated()) {
      return REPLICATED;
    }
    return layout.mayBeDropped() ? DROPPABLE : PER_RANK;
  }

  /**
   * Reads a text from a manifest.
   *
   * @return empty if it is none that {@link #text} returns
   */
  public static Optional<LayoutEntry> parse(String text) {
    if (text.equals(REPLICATED)) {
      return Optional.of(replicated());
    } else if (text.equals(PER_RANK)) {
      return Optional.of(perRank());
    } else if (text.equals(DROPPABLE)) {
      return Optional.of(new LayoutEntry(Layout.perRankOrDropped(), ""));
    }
    Matcher slice = SLICE.matcher(text);
    if (text.length() > MAX_TEXT || !slice.matches()) {
      return Optional.empty();
    }
    try {
      Layout layout =
          Layout.slice(numbers(slice.group(2)), numbers(slice.group(3)), numbers(slice.group(4)));
      return Optional.of(new LayoutEntry(layout, slice.group(1)));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // overflows, or lies outside
    }
  }

  private static long[] numbers(String text) {
    String[] words = text.split(Box.BY, Box.MAX_DIMENSIONS + 1);
    long[] numbers = new long[words.length];
    for (int d = 0; d < words.length; d++) {
      if (!NUMBER.matcher(words[d]).matches()) {
        throw new IllegalArgumentException("not a number: " + words[d]);
      }
      numbers[d] = Long.parseLong(words[d]);
    }
    return numbers;
  }
}
