package io.cairn.cache.chunk;

import java.util.List;

/**
 * The chunks of a checkpoint from {@code first} on that lie in places of one owner. Its count of
 * readers is changed under the cache's lock alone.
 */
final class Part {
  private final int first;
  private final PlaceOwner owner;
  private final int[] numbers;
  private int readers;
  private boolean replaced;

  Part(int first, PlaceOwner owner, int[] numbers) {
    this.first = first;
    this.owner = owner;
    this.numbers = numbers;
  }

  int first() {
    return first;
  }

  int end() {
    return first + numbers.length;
  }

  int chunks() {
    return numbers.length;
  }

  boolean belongsTo(PlaceOwner other) {
    return owner.equals(other);
  }

  /** The owner's numbers for all places; not changed by anybody. */
  int[] numbers() {
    return numbers;
  }

  /** The owner's number for a chunk's place. */
  int number(int chunk) {
    return numbers[chunk - first];
  }

  Place place(int chunk) {
    return owner.place(numbers[chunk - first]);
  }

  void beginRead() {
    readers++;
  }

  /** Whether the part goes back now. */
  boolean endRead() {
    readers--;
    return replaced && readers == 0;
  }

  /** Other places hold the chunks now; these go back when nobody reads them any more. */
  void replace(List<Runnable> later) {
    replaced = true;
    if (readers == 0) {
      giveBack(later);
    }
  }

  void giveBack(List<Runnable> later) {
    owner.giveBack(numbers, later);
  }
}
