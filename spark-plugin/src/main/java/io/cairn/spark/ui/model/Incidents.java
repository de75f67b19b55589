package io.cairn.spark.ui.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Tells the incidents of an alarm apart, and which are over. A seal at its level ends an alarm of a
 * level, progress of the rank one that hangs, and some quiet minutes any other. Used under the lock
 * of its {@link Board}.
 */
final class Incidents {
  /** After so long without a repetition, an alarm is over, and the next one is another incident. */
  static final long QUIET_MILLIS = 300_000;

  private static final String FAILED = "failed at ";

  /** The newest incident of each kind and place; the oldest makes room. */
  private final Map<List<String>, AlarmRow> newest =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<List<String>, AlarmRow> eldest) {
          return size() > Board.MOST_OTHERS;
        }
      };

  /** Earlier incidents, all over. */
  private final Deque<AlarmRow> earlier = new ArrayDeque<>();

  void add(AlarmRow row) {
    List<String> key = List.of(row.kind(), row.place());
    AlarmRow known = newest.remove(key);
    if (known == null || !row.isOpen()) {
      newest.put(key, row);
    } else if (known.isOpen() && row.firstMillis() - known.lastMillis() <= QUIET_MILLIS) {
      newest.put(key, known.plus(row));
    } else {
      earlier.addFirst(known.isOpen() ? known.over(known.lastMillis()) : known);
      if (earlier.size() > Board.MOST_OTHERS) {
        earlier.removeLast();
      }
      newest.put(key, row);
    }
  }

  /** A rank captured a checkpoint, and levels sealed it: what it contradicts is over. */
  void progress(CheckpointRow row, long nowMillis) {
    String place = row.group() + " rank " + row.rank();
    row.sealed().forEach(level -> end(FAILED + level, place, row, "", nowMillis));
    row.sealed().forEach(level -> end("overload", place, row, level.name(), nowMillis));
    end("hangs", place, row, "", nowMillis);
  }

  private void end(String kind, String place, CheckpointRow row, String naming, long nowMillis) {
    newest.computeIfPresent(
        List.of(kind, place),
        (key, alarm) ->
            alarm.isOpen() && row.atMillis() > alarm.lastMillis() && alarm.text().contains(naming)
                ? alarm.over(Math.max(nowMillis, alarm.lastMillis()))
                : alarm);
  }

  /** All of them: the open ones first, and the newest one first. */
  List<AlarmRow> view(long nowMillis) {
    List<AlarmRow> all = new ArrayList<>();
    for (AlarmRow row : newest.values()) {
      boolean quiet = row.isOpen() && nowMillis - row.lastMillis() > QUIET_MILLIS;
      all.add(quiet ? row.over(row.lastMillis()) : row);
    }
    all.addAll(earlier);
    all.sort(
        Comparator.comparing(AlarmRow::isOpen).thenComparingLong(AlarmRow::lastMillis).reversed());
    return all;
  }
}
