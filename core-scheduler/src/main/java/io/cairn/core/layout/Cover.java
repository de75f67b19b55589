package io.cairn.core.layout;

import io.cairn.internal.Box;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A box, cut into disjoint parts that saved boxes have. Of several saved boxes with an element the
 * first gives it. Immutable.
 *
 * @param parts which saved box gives what, by rising number
 * @param gap elements that no saved box has; empty if the parts cover the box
 */
public record Cover(List<Part> parts, Optional<Box> gap) {
  /** Boxes in a regular grid leave few pieces; others must not exhaust memory. */
  private static final int MOST_PIECES = 1 << 16;

  /**
   * Elements that one saved box gives.
   *
   * @param saved number of the box
   */
  public record Part(int saved, Box elements) {}

  /** Copies the list. */
  public Cover {
    parts = List.copyOf(parts);
  }

  /**
   * Covers a box. O(saved boxes × pieces that are left).
   *
   * @param saved boxes with as many dimensions as the wanted one
   * @throws IllegalArgumentException if the boxes cut the wanted one into too many pieces
   */
  public static Cover of(Box wanted, List<Box> saved) {
    List<Part> parts = new ArrayList<>();
    List<Box> left = wanted.elements() == 0 ? List.of() : List.of(wanted);
    for (int number = 0; number < saved.size() && !left.isEmpty(); number++) {
      List<Box> rest = new ArrayList<>();
      for (Box piece : left) {
        Optional<Box> given = piece.intersect(saved.get(number));
        if (given.isPresent()) {
          parts.add(new Part(number, given.get()));
          rest.addAll(piece.minus(given.get()));
        } else {
          rest.add(piece);
        }
      }
      left = rest;
      if (left.size() + parts.size() > MOST_PIECES) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "the saved boxes cut %s into more than %d pieces",
                wanted,
                MOST_PIECES));
      }
    }
    return new Cover(parts, left.stream().findFirst());
  }
}
