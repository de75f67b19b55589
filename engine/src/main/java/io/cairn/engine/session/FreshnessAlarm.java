package io.cairn.engine.session;

import io.cairn.core.model.CheckpointId;
import io.cairn.core.model.Member;
import io.cairn.core.model.RegionImage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Raises an alarm, once, if a checkpoint has the same bytes as its predecessor. Then the training
 * most likely updates other memory than the regions, and every later checkpoint would be worthless.
 */
final class FreshnessAlarm {
  private static final Logger LOG = LoggerFactory.getLogger(FreshnessAlarm.class);

  private final Member member;
  private final Set<String> watched = new HashSet<>();
  private @Nullable List<RegionImage> previous;
  private boolean raised;

  FreshnessAlarm(Member member) {
    this.member = member;
  }

  /** Watches a region of memory. Blobs, such as counters, change in any case and prove nothing. */
  synchronized void watch(String region) {
    watched.add(region);
  }

  /** Compares the checksums with the predecessor's, O(chunks); true if this raised the alarm. */
  synchronized boolean check(CheckpointId id, List<RegionImage> all) {
    List<RegionImage> images = new ArrayList<>(all.size());
    for (RegionImage image : all) {
      if (watched.contains(image.name())) {
        images.add(image);
      }
    }
    boolean stale = !raised && !images.isEmpty() && images.equals(previous);
    if (stale) {
      raised = true;
      LOG.error(
          "STALE CHECKPOINT: {} of {} has the same bytes as its predecessor in every region of"
              + " memory. Does the training still update the memory that was protected?",
          id.label(),
          member);
    }
    previous = images;
    return stale;
  }

  /** Forgets the predecessor, since a restore wrote the regions. */
  synchronized void reset() {
    previous = null;
  }
}
