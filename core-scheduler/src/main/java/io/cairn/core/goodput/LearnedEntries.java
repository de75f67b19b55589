package io.cairn.core.goodput;

import io.cairn.Level;
import io.cairn.core.cadence.Learned;
import io.cairn.core.model.Fingerprint;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The failures, rates, costs and periods that a cadence has learned, as entries of a manifest.
 *
 * <pre>
 *   checkpoint.learned       5321.7 0.0123           seconds observed, and those of an iteration
 *   checkpoint.learned.node  2 40 0.0 0.021 0.004    failures, period or 0, and if they are known
 *                                                    blocking and flush seconds, overhead factor
 * </pre>
 */
public final class LearnedEntries {
  private static final String NAME = Fingerprint.OF_CHECKPOINT + "learned";
  private static final String NUMBER = "\\d{1,20}(?:\\.\\d{1,20})?(?:E-?\\d{1,3})?";
  private static final Pattern HEAD = Pattern.compile(NUMBER + " " + NUMBER);
  private static final Pattern AT_LEVEL =
      Pattern.compile("\\d{1,9} \\d{1,18}(?:(?: " + NUMBER + "){3})?");

  private LearnedEntries() {}

  /** The entries, by name. */
  public static SortedMap<String, String> of(Learned learned) {
    SortedMap<String, String> entries = new TreeMap<>();
    entries.put(NAME, learned.seconds() + " " + learned.iterationSeconds());
    for (Level level : Level.values()) {
      int failures = learned.failures().getOrDefault(level, 0);
      long period = learned.periods().getOrDefault(level, 0L);
      Learned.Cost cost = learned.costs().get(level);
      if (failures > 0 || period > 0 || cost != null) {
        entries.put(name(level), failures + " " + period + text(cost));
      }
    }
    return entries;
  }

  private static String name(Level level) {
    return NAME + "." + level.name().toLowerCase(Locale.ROOT);
  }

  private static String text(Learned.@Nullable Cost cost) {
    return cost == null
        ? ""
        : " " + cost.blockingSeconds() + " " + cost.flushSeconds() + " " + cost.overheadFactor();
  }

  /** The measurements among these entries; empty if there are none, or some of another form. */
  public static Optional<Learned> in(Fingerprint entries) {
    String head = entries.entries().get(NAME);
    if (head == null || !HEAD.matcher(head).matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(new Values().read(head.split(" ", -1), entries));
    } catch (IllegalArgumentException e) {
      return Optional.empty(); // another program's entry
    }
  }

  /** The values read so far. */
  private static final class Values {
    private final Map<Level, Integer> failures = new EnumMap<>(Level.class);
    private final Map<Level, Long> periods = new EnumMap<>(Level.class);
    private final Map<Level, Learned.Cost> costs = new EnumMap<>(Level.class);

    Learned read(String[] head, Fingerprint entries) {
      for (Level level : Level.values()) {
        String text = entries.entries().get(name(level));
        if (text != null) {
          read(level, text);
        }
      }
      double seconds = Double.parseDouble(head[0]);
      double iteration = Double.parseDouble(head[1]);
      return new Learned(periods, Map.of(), seconds, iteration, failures, costs);
    }

    private void read(Level level, String text) {
      if (!AT_LEVEL.matcher(text).matches()) {
        throw new IllegalArgumentException("no measurements of " + level + ": " + text);
      }
      String[] words = text.split(" ", -1);
      failures.put(level, Integer.parseInt(words[0]));
      if (!words[1].equals("0")) {
        periods.put(level, Long.parseLong(words[1]));
      }
      if (words.length > 2) {
        costs.put(level, new Learned.Cost(number(words[2]), number(words[3]), number(words[4])));
      }
    }

    private static double number(String text) {
      return Double.parseDouble(text);
    }
  }
}
