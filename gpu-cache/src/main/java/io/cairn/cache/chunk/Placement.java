package io.cairn.cache.chunk;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The places of a checkpoint's chunks: those of its own cache first, then those of leases and of
 * host memory. Immutable, but for the readers that a part counts.
 *
 * @param parts in the order of chunks, without gaps; at least one
 */
record Placement(List<Part> parts) {
  /** Copies the list. */
  Placement {
    parts = List.copyOf(parts);
  }

  /** How many chunks, from the first on, have a place. */
  int chunks() {
    return parts.get(parts.size() - 1).end();
  }

  /**
   * The part with a chunk. O(parts), and allocates nothing.
   *
   * @throws IndexOutOfBoundsException if the chunk has no place
   */
  Part of(int chunk) {
    for (int i = 0; i < parts.size(); i++) {
      if (chunk < parts.get(i).end()) {
        return parts.get(i);
      }
    }
    throw new IndexOutOfBoundsException(
        "chunk " + chunk + " has no place: " + chunks() + " chunks have one");
  }

  /** The part that lies in leased places. */
  Optional<Part> in(LeasedPlaces leased) {
    return parts.stream().filter(leased::holds).findFirst();
  }

  /** How many slots of a pool are free for others once the places are given back. */
  int slotsIn(SlotPool pool) {
    int slots = 0;
    for (Part part : parts) {
      slots += part.belongsTo(pool) ? pool.staying(part.numbers()) : 0;
    }
    return slots;
  }

  /** Whether a chunk lies in the slab of a pool that leaves. */
  boolean isInLeaving(SlotPool pool) {
    return parts.stream()
        .anyMatch(part -> part.belongsTo(pool) && pool.staying(part.numbers()) < part.chunks());
  }

  /** These places, and a part behind the last. */
  Placement and(Part part) {
    List<Part> more = new ArrayList<>(parts);
    more.add(part);
    return new Placement(more);
  }

  /** These places, with others for the chunks of one part; empty if the part is none of them. */
  Optional<Placement> with(Part old, List<Part> by) {
    List<Part> now = new ArrayList<>(parts);
    int index = now.indexOf(old);
    if (index < 0) {
      return Optional.empty();
    }
    now.remove(index);
    now.addAll(index, by);
    return Optional.of(new Placement(now));
  }

  /** Gives every place back to its owner. */
  void giveBack(List<Runnable> later) {
    parts.forEach(part -> part.giveBack(later));
  }
}
