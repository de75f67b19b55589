package io.cairn.cache.chunk;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Other places for the chunks of a lease that was lost before its checkpoint was complete. The
 * caller copies the chunks again afterwards. Not thread-safe.
 */
public final class Replacement {
  private final CachedCheckpoint checkpoint;
  private final Part lost;
  private final List<Part> found = new ArrayList<>();
  private int next;

  /**
   * Without any place yet.
   *
   * @param checkpoint neither complete nor gone
   * @param lost of this checkpoint; no copy to these places is under way
   * @throws IllegalArgumentException if the checkpoint has no such places
   */
  public Replacement(CachedCheckpoint checkpoint, LeasedPlaces lost) {
    this.checkpoint = checkpoint;
    this.lost =
        checkpoint
            .placement()
            .in(lost)
            .orElseThrow(() -> new IllegalArgumentException(checkpoint + " has no such lease"));
    this.next = this.lost.first();
  }

  /** The number of the next chunk that has no other place. */
  public int next() {
    return next;
  }

  /** How many chunks have no other place. */
  public int missing() {
    return lost.end() - next;
  }

  /**
   * Gives the next chunks these places, which are given back as {@link CachedCheckpoint#add} says.
   *
   * @throws IllegalArgumentException if they are for more chunks than have none; they stay the
   *     caller's then
   */
  public void add(LeasedPlaces leased) {
    if (leased.chunks() > missing()) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%s: places for %d chunks were lent, %d have none",
              checkpoint,
              leased.chunks(),
              missing()));
    }
    found.add(leased.from(next));
    next += leased.chunks();
  }

  /**
   * Replaces the lost places; chunks that have no other place get host memory.
   *
   * @return false if host memory has no room; the places that were found are given back, and the
   *     lost ones stay
   */
  public boolean finish() {
    ChunkCache cache = checkpoint.cache;
    if (missing() > 0) {
      Optional<Part> host = cache.takeHost(next, missing());
      if (host.isEmpty()) {
        cache.locked(later -> found.forEach(part -> part.giveBack(later)));
        return false;
      }
      found.add(host.get());
      next = lost.end();
    }
    checkpoint.replace(lost, found);
    return true;
  }
}
