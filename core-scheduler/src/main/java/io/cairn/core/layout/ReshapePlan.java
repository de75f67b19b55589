package io.cairn.core.layout;

import io.cairn.internal.Box;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The saved ranks that one rank reads, to resume from a checkpoint of another number of ranks, or
 * of other slices. Every byte of its regions comes from one saved rank. Immutable.
 *
 * @param shares by saved rank
 */
public record ReshapePlan(SortedMap<Integer, List<Share>> shares) {
  /** Bytes of one region that one saved rank gives. */
  public sealed interface Share {
    /** The region. */
    String region();
  }

  /** All bytes of a region. */
  public record Whole(String region) implements Share {}

  /**
   * Elements of a slice.
   *
   * @param saved the slice of the saved rank
   * @param wanted the slice of the reading rank
   * @param elements lie in both
   */
  public record Part(String region, Box saved, Box wanted, Box elements) implements Share {}

  /** Copies the map. */
  public ReshapePlan {
    shares = Collections.unmodifiableSortedMap(new TreeMap<>(shares));
  }

  /**
   * Plans what a rank reads. A replicated region comes from the saved rank of its own number,
   * modulo their number, so that many ranks do not read one file. One that may be dropped is not
   * read. An element of several saved slices comes from the lowest rank. O(regions × saved ranks),
   * if the slices form a grid.
   *
   * @param rank the reading rank
   * @param wanted the layouts of all its regions
   * @param saved the layouts of each saved rank, at least one
   * @throws LayoutException if a region has no layout here or there, two layouts contradict each
   *     other, or no saved rank has some elements
   */
  public static ReshapePlan of(int rank, Map<String, LayoutEntry> wanted, List<Layouts> saved)
      throws LayoutException {
    requireLayouts(wanted, saved);
    SortedMap<Integer, List<Share>> shares = new TreeMap<>();
    for (Map.Entry<String, LayoutEntry> region : wanted.entrySet()) {
      LayoutEntry entry = region.getValue();
      if (entry.layout().mayBeDropped()) {
        continue;
      }
      requireAlike(region.getKey(), entry, saved);
      if (entry.layout().isSlice()) {
        cover(region.getKey(), entry, saved, shares);
      } else {
        add(shares, rank % saved.size(), new Whole(region.getKey()));
      }
    }
    return new ReshapePlan(shares);
  }

  /** The same, with every replicated region from this saved rank. */
  public ReshapePlan withReplicasOf(int saved) {
    SortedMap<Integer, List<Share>> moved = new TreeMap<>();
    shares.forEach(
        (rank, all) ->
            all.forEach(share -> add(moved, share instanceof Whole ? saved : rank, share)));
    return new ReshapePlan(moved);
  }

  /** Whether a saved rank gives replicated regions. */
  public boolean hasReplicasOf(int saved) {
    return shares.getOrDefault(saved, List.of()).stream().anyMatch(Whole.class::isInstance);
  }

  /** Names all regions at once, since the user has to declare each of them. */
  private static void requireLayouts(Map<String, LayoutEntry> wanted, List<Layouts> saved)
      throws LayoutException {
    List<String> here = lacking(wanted);
    if (!here.isEmpty()) {
      throw new LayoutException(
          "the regions "
              + here
              + " have no layout here: protect each as replicated, as a slice or as"
              + " perRankOrDropped, by RegionOptions.withLayout");
    }
    List<String> there =
        wanted.entrySet().stream()
            .filter(region -> !region.getValue().layout().mayBeDropped())
            .map(Map.Entry::getKey)
            .filter(region -> saved.stream().anyMatch(rank -> isOwn(rank.of(region))))
            .toList();
    if (!there.isEmpty()) {
      throw new LayoutException(
          String.format(
              Locale.ROOT,
              "the regions %s were saved without a layout that other ranks read: resume with %d"
                  + " ranks that protect what these did, or protect these regions as"
                  + " perRankOrDropped to go on without their bytes",
              there,
              saved.size()));
    }
  }

  /** The regions that belong to their rank alone, and may not be dropped. */
  public static List<String> lacking(Map<String, LayoutEntry> regions) {
    return regions.entrySet().stream()
        .filter(region -> region.getValue().layout().isPerRank())
        .map(Map.Entry::getKey)
        .toList();
  }

  private static boolean isOwn(LayoutEntry entry) {
    return entry.layout().isPerRank() || entry.layout().mayBeDropped();
  }

  private static void requireAlike(String region, LayoutEntry here, List<Layouts> saved)
      throws LayoutException {
    for (int rank = 0; rank < saved.size(); rank++) {
      LayoutEntry there = saved.get(rank).of(region);
      if (!array(here).equals(array(there))) {
        throw new LayoutException(
            String.format(
                Locale.ROOT,
                "region %s is %s of rank %d there, and %s here: protect it with the layout, the"
                    + " array and the elements that it was saved with",
                region,
                array(there),
                rank,
                array(here)));
      }
    }
  }

  /** The state that a region is a part of, for people; equal texts belong to one state. */
  private static String array(LayoutEntry entry) {
    if (entry.layout().isSlice()) {
      return "a slice of " + entry.element() + " " + entry.whole().shapeText();
    } else if (entry.layout().isReplicated()) {
      return "a replica";
    }
    throw new IllegalStateException("no part of a common state: " + entry);
  }

  private static void cover(
      String region,
      LayoutEntry wanted,
      List<Layouts> saved,
      SortedMap<Integer, List<Share>> shares)
      throws LayoutException {
    List<Box> boxes = new ArrayList<>(saved.size());
    for (Layouts rank : saved) {
      boxes.add(rank.of(region).part());
    }
    Cover cover;
    try {
      cover = Cover.of(wanted.part(), boxes);
    } catch (IllegalArgumentException e) {
      throw new LayoutException("region " + region + ": " + e.getMessage() + sameSlices(saved));
    }
    if (cover.gap().isPresent()) {
      throw new LayoutException(
          "region %s: no rank saved the elements at %s%s"
              .formatted(region, cover.gap().get(), sameSlices(saved)));
    }
    for (Cover.Part part : cover.parts()) {
      Box from = boxes.get(part.saved());
      add(shares, part.saved(), new Part(region, from, wanted.part(), part.elements()));
    }
  }

  private static String sameSlices(List<Layouts> saved) {
    return String.format(
        Locale.ROOT, ": resume with %d ranks and the slices that they had", saved.size());
  }

  private static void add(SortedMap<Integer, List<Share>> shares, int saved, Share share) {
    shares.computeIfAbsent(saved, rank -> new ArrayList<>()).add(share);
  }
}
