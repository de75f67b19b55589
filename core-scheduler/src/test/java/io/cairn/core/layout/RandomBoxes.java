package io.cairn.core.layout;

import io.cairn.internal.Box;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Seeded boxes in small arrays, and every element of them, one by one. */
final class RandomBoxes {
  private static final int MOST_PER_DIMENSION = 6;

  private final Random random;

  RandomBoxes(long seed) {
    this.random = new Random(seed);
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  /** An array of 1 to 4 dimensions. */
  Box array() {
    long[] shape = new long[1 + random.nextInt(4)];
    for (int d = 0; d < shape.length; d++) {
      shape[d] = 1L + random.nextInt(MOST_PER_DIMENSION);
    }
    return Box.whole(shape);
  }

  /** A box of an array, which may be empty. */
  Box in(Box array) {
    long[] offset = new long[array.dimensions()];
    long[] shape = new long[array.dimensions()];
    for (int d = 0; d < shape.length; d++) {
      offset[d] = random.nextInt((int) array.length(d) + 1);
      shape[d] = random.nextInt((int) (array.length(d) - offset[d]) + 1);
    }
    return new Box(offset, shape);
  }

  List<Box> in(Box array, int count) {
    List<Box> boxes = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      boxes.add(in(array));
    }
    return boxes;
  }

  /** The number in the array of each element of a box, in the box's row-major order. */
  static List<Long> elements(Box array, Box box) {
    List<Long> numbers = List.of(0L);
    for (int d = 0; d < array.dimensions(); d++) {
      List<Long> next = new ArrayList<>();
      for (long before : numbers) {
        for (long i = 0; i < box.length(d); i++) {
          next.add(before * array.length(d) + box.offset(d) + i);
        }
      }
      numbers = next;
    }
    return numbers;
  }
}
