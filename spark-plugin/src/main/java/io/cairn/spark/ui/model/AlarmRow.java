package io.cairn.spark.ui.model;

/**
 * Something that a user should look at: one incident, of which repetitions follow each other within
 * some minutes.
 *
 * @param kind such as "freshness"; alarms of one kind and place are counted together
 * @param place a rank, a group or a process
 * @param count of times
 * @param text of the newest one
 * @param overMillis when it was over; 0 while it is open
 */
public record AlarmRow(
    String kind,
    String place,
    long count,
    long firstMillis,
    long lastMillis,
    String text,
    long overMillis) {
  /** Clips texts. */
  public AlarmRow {
    kind = Rows.text(kind);
    place = Rows.text(place);
    text = Rows.text(text);
  }

  /** Both, as one row with the text of the later one. */
  public AlarmRow plus(AlarmRow later) {
    return new AlarmRow(
        kind,
        place,
        count + later.count,
        Math.min(firstMillis, later.firstMillis),
        Math.max(lastMillis, later.lastMillis),
        later.text,
        later.overMillis);
  }

  /** The same incident, which is over. */
  AlarmRow over(long atMillis) {
    return new AlarmRow(kind, place, count, firstMillis, lastMillis, text, atMillis);
  }

  /** Whether it is not over. */
  public boolean isOpen() {
    return overMillis == 0;
  }
}
