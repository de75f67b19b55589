package io.cairn.core.model;

import io.cairn.Checkpointer;
import io.cairn.internal.PathSegment;
import io.cairn.internal.PrintableText;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Describes the program that wrote a rank's checkpoint, so that another program does not resume
 * from it: named entries such as {@code label digits-v2} or {@code region.weights double[100]}.
 * Immutable. Checkpoints of older versions have none.
 *
 * @param entries values by name; a name is 1 to 160 letters, digits, '.', '_' and '-', and a value
 *     is 1 to 128 printable ASCII characters without a blank at either end
 */
public record Fingerprint(SortedMap<String, String> entries) {
  /** Nothing is known. */
  public static final Fingerprint NONE = new Fingerprint(new TreeMap<>());

  /** The entry that names a run: the same for a program's processes, another at each start. */
  public static final String RUN = "run";

  /** The value of an entry of a checkpoint that fits programs with any value, or none. */
  public static final String ANY = Checkpointer.ANY;

  /** Names of entries that say how a region is stored begin so; programs may differ in them. */
  private static final List<String> OF_STORAGE = List.of("codec.", "lossy.");

  /** Entries with names that begin so describe the checkpoint, and no program. */
  public static final String OF_CHECKPOINT = "checkpoint.";

  /**
   * The entry with the layout of the regions that have no entry {@code layout.NAME} of their own.
   * Layouts describe a rank's part in its group, and are no property of the program.
   */
  public static final String LAYOUT = "layout";

  /** The most entries, those {@link #OF_CHECKPOINT} not counted. */
  public static final int MAX_ENTRIES = 128;

  private static final int MAX_NAME = 160;
  private static final int MAX_OF_CHECKPOINT = 16;

  /** Copies the map, and checks names and values. */
  public Fingerprint {
    entries = Collections.unmodifiableSortedMap(new TreeMap<>(entries));
    entries.forEach(Fingerprint::require);
    int ofCheckpoint = (int) entries.keySet().stream().filter(Fingerprint::isOfCheckpoint).count();
    if (entries.size() - ofCheckpoint > MAX_ENTRIES || ofCheckpoint > MAX_OF_CHECKPOINT) {
      throw new IllegalArgumentException(
          "a fingerprint of "
              + entries.size()
              + " entries: at most "
              + MAX_ENTRIES
              + ", and "
              + MAX_OF_CHECKPOINT
              + " of the checkpoint");
    }
  }

  private static boolean isOfCheckpoint(String name) {
    return name.startsWith(OF_CHECKPOINT);
  }

  private static void require(String name, String value) {
    if (!PathSegment.isLegal(name, MAX_NAME)) {
      throw new IllegalArgumentException(
          "entry name '"
              + name
              + "': use 1 to "
              + MAX_NAME
              + " letters, digits, '.', '_' and '-', starting with a letter or a digit");
    }
    PrintableText.require(name, value);
  }

  /**
   * Makes a legal value of a text that another program made, perhaps with the digits of its
   * language: Spark's ids of applications are such.
   *
   * @return the text itself if it is legal
   */
  public static String value(String text) {
    StringBuilder value = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              if (c >= ' ' && c <= '~') {
                value.appendCodePoint(c);
              } else if (Character.digit(c, 10) >= 0) {
                value.append(Character.digit(c, 10));
              } else {
                value.append('u').append(Integer.toHexString(c));
              }
            });
    return PrintableText.isLegal(value.toString())
        ? value.toString()
        : UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8)).toString();
  }

  /** Whether an entry says how a region is stored, such as {@code codec.weights}. */
  public static boolean isOfStorage(String name) {
    return OF_STORAGE.stream().anyMatch(name::startsWith);
  }

  /** Whether nothing is known. */
  public boolean isEmpty() {
    return entries.isEmpty();
  }

  /** Whether an entry of that name has the layout of a region, or of several. */
  public static boolean isLayout(String name) {
    return name.equals(LAYOUT) || name.startsWith(LAYOUT + ".");
  }

  /** Whether {@code other} has the same {@link #RUN}. */
  public boolean sameRunAs(Fingerprint other) {
    String run = entries.get(RUN);
    return run != null && run.equals(other.entries.get(RUN));
  }

  /**
   * The same with one more entry.
   *
   * @throws IllegalArgumentException if the name is taken, or name or value are not legal
   */
  public Fingerprint with(String name, String value) {
    if (entries.containsKey(name)) {
      throw new IllegalArgumentException(
          "entry " + name + " is there already, with the value " + entries.get(name));
    }
    SortedMap<String, String> more = new TreeMap<>(entries);
    more.put(name, value);
    return new Fingerprint(more);
  }

  /**
   * The entries in which a program differs from the one that wrote the checkpoint, each with a
   * sentence of both values; none if nothing is known of the checkpoint. An entry of it that is
   * {@link #ANY} differs from none. {@link #RUN} and layouts may differ, and so may entries
   * {@linkplain #isOfStorage of storage} and those {@link #OF_CHECKPOINT}.
   *
   * @param now the program that wants to resume
   */
  public SortedMap<String, String> differences(Fingerprint now) {
    SortedMap<String, String> differences = new TreeMap<>();
    if (isEmpty()) {
      return differences;
    }
    SortedSet<String> names = new TreeSet<>(entries.keySet());
    names.addAll(now.entries.keySet());
    names.remove(RUN);
    names.removeIf(Fingerprint::isOfStorage);
    names.removeIf(Fingerprint::isOfCheckpoint);
    names.removeIf(Fingerprint::isLayout);
    for (String name : names) {
      String there = value(entries, name);
      String here = value(now.entries, name);
      if (!there.equals(here) && !there.equals(ANY)) {
        differences.put(name, "%s is %s there and %s here".formatted(name, there, here));
      }
    }
    return differences;
  }

  private static String value(Map<String, String> entries, String name) {
    return entries.getOrDefault(name, "absent");
  }
}
