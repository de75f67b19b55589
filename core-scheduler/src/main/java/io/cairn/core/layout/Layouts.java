package io.cairn.core.layout;

import io.cairn.core.model.Fingerprint;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The layouts of one rank's regions, as the entries of its program have them. Immutable.
 *
 * @param named layouts by region
 * @param rest the layout of every other region
 */
public record Layouts(SortedMap<String, LayoutEntry> named, LayoutEntry rest) {
  /** The most regions with an entry of their own, so that a manifest of many ranks stays small. */
  public static final int MAX_NAMED = 64;

  /** More replicated regions have one entry together. */
  private static final int MOST_REPLICATED_NAMED = 16;

  /** Copies the map. */
  public Layouts {
    named = Collections.unmodifiableSortedMap(new TreeMap<>(named));
  }

  /**
   * Entries for these regions. The regions of one layout, other than a slice, have one entry
   * together: the replicated ones if they are many, else those that let the others fit.
   *
   * @param regions all regions of a rank
   * @throws IllegalArgumentException if more than {@link #MAX_NAMED} need an entry of their own
   */
  public static Layouts of(Map<String, LayoutEntry> regions) {
    long replicated = regions.values().stream().filter(Layouts::isReplicated).count();
    Layouts ofReplicated = named(regions, LayoutEntry.replicated());
    Layouts ofRank = named(regions, LayoutEntry.perRank());
    boolean many = replicated > MOST_REPLICATED_NAMED;
    Layouts first = many ? ofReplicated : ofRank;
    Layouts second = many ? ofRank : ofReplicated;
    Layouts ofDroppable = named(regions, LayoutEntry.droppable());
    Layouts chosen =
        Stream.of(first, second, ofDroppable)
            .filter(layouts -> layouts.named.size() <= MAX_NAMED)
            .findFirst()
            .orElse(first);
    if (chosen.named.size() > MAX_NAMED) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%d regions differ in their layout from the rest, at most %d may: put several into"
                  + " one",
              first.named.size(),
              MAX_NAMED));
    }
    return chosen;
  }

  private static Layouts named(Map<String, LayoutEntry> regions, LayoutEntry rest) {
    SortedMap<String, LayoutEntry> named = new TreeMap<>(regions);
    named.values().removeIf(rest::equals);
    return new Layouts(named, rest);
  }

  /**
   * The layouts that a program's entries declare; regions without an entry belong to their rank.
   *
   * @throws LayoutException naming an entry that cannot be read
   */
  public static Layouts of(Fingerprint program) throws LayoutException {
    LayoutEntry rest = LayoutEntry.perRank();
    SortedMap<String, LayoutEntry> named = new TreeMap<>();
    for (Map.Entry<String, String> each : program.entries().entrySet()) {
      if (Fingerprint.isLayout(each.getKey())) {
        LayoutEntry entry = parse(each.getKey(), each.getValue());
        if (each.getKey().equals(Fingerprint.LAYOUT)) {
          rest = entry;
        } else {
          named.put(each.getKey().substring(Fingerprint.LAYOUT.length() + 1), entry);
        }
      }
    }
    return new Layouts(named, rest);
  }

  private static LayoutEntry parse(String name, String text) throws LayoutException {
    return LayoutEntry.parse(text)
        .orElseThrow(
            () ->
                new LayoutException(
                    "the entry %s '%s' is no layout that this version of Cairn reads: resume with"
                            .formatted(name, text)
                        + " the version that wrote it"));
  }

  /** The layout of a region. */
  public LayoutEntry of(String region) {
    return named.getOrDefault(region, rest);
  }

  /** How many entries a program has of these layouts. */
  public int entries() {
    return named.size() + (isRest() ? 1 : 0);
  }

  /** The program with the entries of these layouts. */
  public Fingerprint addTo(Fingerprint program) {
    Fingerprint more = program;
    if (isRest()) {
      more = more.with(Fingerprint.LAYOUT, rest.text());
    }
    for (Map.Entry<String, LayoutEntry> each : named.entrySet()) {
      more = more.with(Fingerprint.LAYOUT + "." + each.getKey(), each.getValue().text());
    }
    return more;
  }

  /** Whether the regions without a name have an entry. */
  private boolean isRest() {
    return !rest.equals(LayoutEntry.perRank());
  }

  private static boolean isReplicated(LayoutEntry entry) {
    return entry.layout().isReplicated();
  }
}
