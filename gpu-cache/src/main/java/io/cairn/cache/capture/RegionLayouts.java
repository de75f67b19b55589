package io.cairn.cache.capture;

import io.cairn.Layout;
import io.cairn.RegionOptions;
import io.cairn.RestoreException;
import io.cairn.core.layout.LayoutEntry;
import io.cairn.core.layout.LayoutException;
import io.cairn.core.layout.Layouts;
import io.cairn.core.layout.ReshapePlan;
import io.cairn.core.model.Fingerprint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** The layouts of one rank's regions. Not thread-safe: the training thread owns it. */
public final class RegionLayouts {
  /** Entries that describe regions; of a slice its layout says all that matters. */
  private static final String OF_REGIONS = "region";

  private final Map<String, LayoutEntry> all = new LinkedHashMap<>();

  /**
   * Checks that one more region can be described.
   *
   * @return the entries that all layouts have with it
   * @throws IllegalArgumentException naming it, if a manifest has no room for more layouts
   */
  int requireRoom(String region, LayoutEntry layout) {
    Map<String, LayoutEntry> more = new HashMap<>(all);
    more.put(region, layout);
    try {
      return Layouts.of(more).entries();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("region " + region + ": " + e.getMessage(), e);
    }
  }

  /** The entries of all layouts. */
  int entries() {
    return Layouts.of(all).entries();
  }

  void add(String region, LayoutEntry layout) {
    all.put(region, layout);
  }

  private Layout of(String region) {
    return all.getOrDefault(region, LayoutEntry.perRank()).layout();
  }

  /**
   * Options with the layout of a region, for a program that asks for its bytes: it is not dropped.
   * One that is not protected belongs to its rank.
   */
  public RegionOptions optionsOf(String region) {
    Layout layout = of(region);
    return RegionOptions.DEFAULT.withLayout(layout.mayBeDropped() ? Layout.perRank() : layout);
  }

  /** The regions that belong to their rank alone, which keep a group from another size. */
  public List<String> lacking() {
    return ReshapePlan.lacking(all);
  }

  /** The regions without which a group of another size resumes. */
  public Set<String> droppable() {
    return all.entrySet().stream()
        .filter(each -> each.getValue().layout().mayBeDropped())
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Whether a region does not belong to its rank alone. */
  public boolean any() {
    return lacking().size() < all.size();
  }

  Fingerprint addTo(Fingerprint program) {
    return Layouts.of(all).addTo(program);
  }

  /**
   * Whether a checkpoint of this rank has another slice of some region than is protected now.
   *
   * @param writer finds the program that wrote it; not asked if no region is a slice
   */
  public boolean slicedOtherwise(Supplier<Fingerprint> writer) {
    if (all.values().stream().noneMatch(entry -> entry.layout().isSlice())) {
      return false;
    }
    Fingerprint there = writer.get();
    return all.entrySet().stream().anyMatch(each -> isOther(each.getKey(), each.getValue(), there));
  }

  private static boolean isOther(String region, LayoutEntry here, Fingerprint writer) {
    String there = writer.entries().get(Fingerprint.LAYOUT + "." + region);
    return here.layout().isSlice() && there != null && !there.equals(here.text());
  }

  /**
   * Checks the differences between the programs of saved ranks and this one, but for the sizes of
   * slices.
   *
   * @throws RestoreException with the differences, unless they are accepted
   */
  List<String> checkPrograms(
      List<SortedMap<String, String>> ofWriters, String checkpoint, Set<String> accepted) {
    NavigableMap<String, String> differences = new TreeMap<>();
    ofWriters.forEach(each -> each.forEach(differences::putIfAbsent));
    differences.keySet().removeIf(entry -> entry.startsWith(OF_REGIONS) && !isReplica(entry));
    return Shape.requireAccepted(differences, checkpoint, accepted);
  }

  private boolean isReplica(String entry) {
    return all.entrySet().stream()
        .anyMatch(
            each ->
                each.getValue().layout().isReplicated()
                    && Shape.entry(each.getKey()).equals(entry));
  }

  /**
   * Compares the kinds of replicas, as far as both programs have them.
   *
   * @throws RestoreException naming a region of another kind
   */
  void requireKinds(List<Fingerprint> writers, Fingerprint program, String checkpoint) {
    for (String region : all.keySet()) {
      String here = program.entries().get(Shape.entry(region));
      for (Fingerprint writer : writers) {
        String there = writer.entries().getOrDefault(Shape.entry(region), String.valueOf(here));
        if (of(region).isReplicated() && !there.equals(here)) {
          throw new RestoreException(
              "cannot load region %s of %s: it is %s there and %s here; give memory of that kind"
                  .formatted(region, checkpoint, there, here));
        }
      }
    }
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
          String.format(
              Locale.ROOT,
              "cannot read %s, which was written by %d ranks: %s",
              checkpoint,
              writers.size(),
              e.getMessage()));
    }
  }
}
