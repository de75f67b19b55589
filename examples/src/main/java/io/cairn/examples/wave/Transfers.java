package io.cairn.examples.wave;

import io.cairn.Level;
import io.cairn.adjoint.history.HistoryStats;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The states that left the device and came back, and how long the program waited for that.
 *
 * @param levels the device first
 */
record Transfers(List<LevelBytes> levels, long waitNanos) {
  static final Transfers NONE = new Transfers(List.of(), 0);

  private static final String SEPARATOR = "/";

  /**
   * Bytes of states. Those of DEVICE went from it to all places below, and came back to it. Those
   * of another place went down to it, and came up from it, to the device or past it to the program.
   */
  record LevelBytes(String level, long bytesDown, long bytesUp) {
    private LevelBytes plus(LevelBytes other) {
      return new LevelBytes(level, bytesDown + other.bytesDown, bytesUp + other.bytesUp);
    }

    private String text() {
      return level + SEPARATOR + bytesDown + SEPARATOR + bytesUp;
    }

    private static LevelBytes parse(String text) {
      String[] parts = text.split(SEPARATOR, -1);
      return new LevelBytes(parts[0], Long.parseLong(parts[1]), Long.parseLong(parts[2]));
    }
  }

  /** Copies the list. */
  Transfers {
    levels = List.copyOf(levels);
  }

  /** Those of a history since it was opened. */
  static Transfers of(HistoryStats stats) {
    List<LevelBytes> levels = new ArrayList<>();
    levels.add(new LevelBytes(Level.DEVICE.name(), stats.bytesDown(), stats.bytesUp()));
    long past = stats.bytesPast(); // the demonstration has files alone below the device
    for (HistoryStats.Place place : stats.below()) {
      String name = place.level() == Level.DEVICE ? place.name() : place.level().name();
      levels.add(new LevelBytes(name, place.bytesDown(), place.bytesUp() + past));
      past = 0;
    }
    return new Transfers(levels, stats.storeWaitNanos() + stats.restoreWaitNanos());
  }

  /** The sum, level by level. */
  Transfers plus(Transfers other) {
    Map<String, LevelBytes> sums = new LinkedHashMap<>();
    Stream.concat(levels.stream(), other.levels.stream())
        .forEach(each -> sums.merge(each.level(), each, LevelBytes::plus));
    return new Transfers(List.copyOf(sums.values()), waitNanos + other.waitNanos);
  }

  /** One word, which {@link #parse} reads. */
  String word() {
    return waitNanos + levels.stream().map(each -> "," + each.text()).collect(Collectors.joining());
  }

  /** Reads {@link #word}. */
  static Transfers parse(String word) {
    String[] parts = word.split(",", -1);
    List<LevelBytes> levels = Stream.of(parts).skip(1).map(LevelBytes::parse).toList();
    return new Transfers(levels, Long.parseLong(parts[0]));
  }
}
