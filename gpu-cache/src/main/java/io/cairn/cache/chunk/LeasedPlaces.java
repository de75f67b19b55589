package io.cairn.cache.chunk;

import java.util.List;
import java.util.function.IntFunction;

/**
 * Places that somebody else lent for chunks of one checkpoint. Immutable; added to one checkpoint,
 * once.
 */
public final class LeasedPlaces {
  private final int[] slots;
  private final PlaceOwner lender;

  /**
   * A leased.
   *
   * @param slots by the lender's numbers, in the order in which chunks are put there
   * @param places finds a slot's place; it must not block, and allocates best nothing
   * @param giveBack called once, on any thread, with no lock held, when the checkpoint neither
   *     needs the places nor copies from or to them any more; it must not throw
   */
  public LeasedPlaces(int[] slots, IntFunction<Place> places, Runnable giveBack) {
    this.slots = slots.clone();
    this.lender = new Lender(places, giveBack);
  }

  /** How many chunks it has room for. */
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
