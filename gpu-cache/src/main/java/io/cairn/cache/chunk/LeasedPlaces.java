package io.cairn.cache.chunk;

import java.util.List;
import java.util.function.IntFunction;

/** Leased places for chunks of one checkpoint. Immutable; added to one checkpoint, once. */
public final class LeasedPlaces {
  private final int[] slots;
  private final PlaceOwner lender;

  /**
   * The places of one lease.
   *
   * @param slots by the lender's numbers, in the order of their chunks
   * @param places finds a slot's place; must not block, and should not allocate
   * @param giveBack called once, when the checkpoint neither needs nor copies the places any more;
   *     on any thread, without a lock; must not throw
   */
  public LeasedPlaces(int[] slots, IntFunction<Place> places, Runnable giveBack) {
    this.slots = slots.clone();
    this.lender = new Lender(places, giveBack);
  }

  /** The number of chunks that fit. */
  public int chunks() {
    return slots.length;
  }

  Part from(int chunk) {
    return new Part(chunk, lender, slots);
  }

  boolean holds(Part part) {
    return part.belongsTo(lender);
  }

  /** Not a record: two leases are never the same. */
  private static final class Lender implements PlaceOwner {
    private final IntFunction<Place> places;
    private final Runnable giveBack;

    Lender(IntFunction<Place> places, Runnable giveBack) {
      this.places = places;
      this.giveBack = giveBack;
    }

    @Override
    public Place place(int slot) {
      return places.apply(slot);
    }

    @Override
    public void giveBack(int[] slots, List<Runnable> later) {
      later.add(giveBack);
    }
  }
}
