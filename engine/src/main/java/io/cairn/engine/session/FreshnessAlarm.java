package io.cairn.engine.session;

import io.cairn.CheckpointId;
import io.cairn.Member;
import io.cairn.core.model.RegionImage;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Raises an alarm if a region has the same bytes in a checkpoint as in its predecessor. Then the
 * training most likely updates other memory than that region, and every later checkpoint has bytes
 * of the past. Raised for each region, at its first such checkpoint, the second, the fourth, and so
 * on. A region that was never seen to change may be constant on purpose, so its first alarm comes
 * late, unless no other region changes either. Thread-safe.
 */
final class FreshnessAlarm {
  private static final Logger LOG = LoggerFactory.getLogger(FreshnessAlarm.class);

  /** A power of two. */
  private static final long FIRST_OF_CONSTANT = 64;

  private final Member member;
  private final Map<String, Watched> watched = new TreeMap<>();
  private @Nullable CheckpointId newest;

  /** The last bytes of one region, and how long they have stayed. */
  private static final class Watched {
    private @Nullable RegionImage previous;
    private boolean changed;
    private long unchanged;

    /** Whether it has the bytes of the checkpoint before. */
    boolean isStale(RegionImage image) {
      boolean stale = Objects.equals(image, previous);
      changed |= previous != null && !stale;
      unchanged += stale ? 1 : 0;
      previous = image;
      return stale;
    }

    boolean isDue(boolean nothingChanged) {
      boolean early = nothingChanged || changed;
      return Long.bitCount(unchanged) == 1 && (early || unchanged >= FIRST_OF_CONSTANT);
    }
  }

  FreshnessAlarm(Member member) {
    this.member = member;
  }

  /** Watches a region of memory. Blobs, such as counters, change in any case and prove nothing. */
  synchronized void watch(String region) {
    watched.putIfAbsent(region, new Watched());
  }

  /**
   * Compares the checksums with the predecessor's, O(chunks).
   *
   * @return the regions for which this raised the alarm, in order
   */
  synchronized NavigableSet<String> check(CheckpointId id, List<RegionImage> images) {
    NavigableSet<String> stale = new TreeSet<>();
    NavigableSet<String> due = new TreeSet<>();
    if (id.equals(newest)) { // captured once more
      return due;
    }
    newest = id;
    int seen = 0;
    for (RegionImage image : images) {
      Watched region = watched.get(image.name());
      if (region != null) {
        seen++;
        if (region.isStale(image)) {
          stale.add(image.name());
        }
      }
    }
    boolean nothingChanged = stale.size() == seen;
    for (Map.Entry<String, Watched> region : watched.entrySet()) {
      if (stale.contains(region.getKey()) && region.getValue().isDue(nothingChanged)) {
        due.add(region.getKey());
      }
    }
    if (!due.isEmpty()) {
      report(id, due, nothingChanged);
    }
    return due;
  }

  private void report(CheckpointId id, NavigableSet<String> due, boolean nothingChanged) {
    String regions = String.join(", ", due);
    if (nothingChanged) {
      LOG.error(
          "STALE CHECKPOINT: {} of {} has the same bytes as its predecessor in every region of"
              + " memory, such as {}. Does the training still update the memory that was protected?"
              + " After a change of place, such as a swap of two arrays, call relocate()",
          id.label(),
          member,
          regions);
    } else {
      LOG.warn(
          "STALE REGION: in {} of {} these have the same bytes as in its predecessor: {}. If the"
              + " training writes them at each iteration, it writes other memory than was"
              + " protected. After a change of place, such as a swap of two arrays, call"
              + " relocate()",
          id.label(),
          member,
          regions);
    }
  }

  /** Forgets the predecessor, since a restore wrote the regions. */
  synchronized void reset() {
    watched.values().forEach(region -> region.previous = null);
  }
}
