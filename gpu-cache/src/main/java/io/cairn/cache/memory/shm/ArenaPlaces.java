package io.cairn.cache.memory.shm;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.Consumer;

/** The directories of the arenas. */
record ArenaPlaces(ArenaDirectory preferred, ArenaDirectory fallback, Consumer<String> warning) {
  static ArenaPlaces of(Path preferred, Path fallback, Consumer<String> warning) {
    ArenaPlaces places =
        new ArenaPlaces(new ArenaDirectory(preferred), new ArenaDirectory(fallback), warning);
    places.preferred.removeDead();
    places.fallback.removeDead();
    return places;
  }

  /**
   * An arena.
   *
   * @param own bytes on demand so far in the preferred directory; negative for a device of one size
   */
  Arena create(long capacityBytes, int windowBytes, long own) throws IOException {
    try {
      if (own >= 0) {
        preferred.requireHalf(own, capacityBytes);
      }
      return preferred.create(capacityBytes, windowBytes);
    } catch (IOException e) {
      String reason =
          String.format(
              Locale.ROOT,
              "no shared memory of %d bytes in %s (%s)",
              capacityBytes,
              preferred.parent(),
              reason(e));
      Arena arena = createInstead(capacityBytes, windowBytes, reason, e);
      warning.accept(reason + "; using " + arena.path() + ", which may be slower");
      return arena;
    }
  }

  private Arena createInstead(long capacityBytes, int windowBytes, String reason, IOException why)
      throws IOException {
    try {
      return fallback.create(capacityBytes, windowBytes);
    } catch (IOException e) {
      e.addSuppressed(why);
      throw new IOException(reason + ", nor in " + fallback + " (" + reason(e) + ")", e);
    }
  }

  /** File system exceptions often have nothing but a path for a message. */
  private static String reason(IOException e) {
    return e.getClass().getSimpleName() + ": " + e.getMessage();
  }
}
