package io.cairn.cache.capture;

import io.cairn.core.layout.Layout.Replicated;
import io.cairn.core.layout.Layout.Slice;
import io.cairn.core.layout.LayoutEntry;
import io.cairn.core.layout.LayoutException;
import io.cairn.core.layout.Layouts;
import io.cairn.core.layout.ReshapePlan;
import io.cairn.core.model.Fingerprint;
import io.cairn.core.session.RestoreException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/** The layouts of one rank's regions. Not thread-safe. */
final class RegionLayouts {
  /** Entries that describe regions; of a slice its layout says all that matters. */
  private static final String OF_REGIONS = "region";

  private final Map<String, LayoutEntry> all = new LinkedHashMap<>();

  /**
   * Checks that one more region can be described.
   *
   * @throws IllegalArgumentException naming it, if a manifest has no room for more layouts
   */
  void requireRoom(String region, LayoutEntry layout) {
    Map<String, LayoutEntry> more = new HashMap<>(all);
    more.put(region, layout);
    try {
      var unused = Layouts.of(more);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("region " + region + ": " + e.getMessage(), e);
    }
  }

  void add(String region, LayoutEntry layout) {
    all.put(region, layout);
  }

  /** All regions, by name. */
  Map<String, LayoutEntry> all() {
    return Collections.unmodifiableMap(all);
  }

  Fingerprint addTo(Fingerprint program) {
    return Layouts.of(all).addTo(program);
  }

  boolean hasSlices() {
    return all.values().stream().anyMatch(entry -> entry.layout() instanceof Slice);
  }

  /** Whether a checkpoint has another slice of some region. */
  boolean slicedOtherwise(Fingerprint writer) {
    return all.entrySet().stream()
        .anyMatch(each -> isOther(each.getKey(), each.getValue(), writer));
  }

  private static boolean isOther(String region, LayoutEntry here, Fingerprint writer) {
    String there = writer.entries().get(Fingerprint.LAYOUT + "." + region);
    return here.layout() instanceof Slice && there != null && !there.equals(here.text());
  }

  /**
   * Compares the programs of saved ranks with this one, but for the sizes of slices.
   *
   * @throws RestoreException with the differences, unless they are accepted
   */
  List<String> checkPrograms(
      List<Fingerprint> writers, Fingerprint program, String checkpoint, Set<String> accepted) {
    NavigableMap<String, String> differences = new TreeMap<>();
    for (Fingerprint writer : writers) {
      writer.differences(program).forEach(differences::putIfAbsent);
    }
    differences.keySet().removeIf(entry -> entry.startsWith(OF_REGIONS) && !isReplica(entry));
    return Shape.requireAccepted(differences, checkpoint, accepted);
  }

  private boolean isReplica(String entry) {
    return all.entrySet().stream()
        .anyMatch(
            each ->
                each.getValue().layout() instanceof Replicated
                    && Shape.entry(each.getKey()).equals(entry));
  }

  /**
   * The saved ranks that a rank reads.
   *
   * @throws RestoreException if the layouts do not allow it
   */
  ReshapePlan plan(int rank, List<Fingerprint> writers, String checkpoint) {
    try {
      List<Layouts> saved = new ArrayList<>(writers.size());
      for (Fingerprint writer : writers) {
        saved.add(Layouts.of(writer));
      }
      return ReshapePlan.of(rank, all, saved);
    } catch (LayoutException e) {
      throw new RestoreException(
          "cannot restore %s, which was written by %d ranks: %s"
              .formatted(checkpoint, writers.size(), e.getMessage()));
    }
  }
}
