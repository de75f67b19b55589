package io.cairn.lab.study.throttle;

/**
 * The ways that copies can take, and the bookings on them.
 *
 * @param table the same in every process that shares the bookings
 * @param bookings of the table's stretches
 */
public record ThrottledLinks(LinkTable table, LinkBookings bookings) {
  /**
   * Books bytes on a way. They take all of its stretches at once, each at its own rate.
   *
   * @return the moment of {@link System#nanoTime} at which they are through
   */
  long book(int[] way, long bytes) {
    long now = System.nanoTime();
    long through = now;
    for (int stretch : way) {
      long end = bookings.book(stretch, now, bytes, table.bytesPerSecond(stretch));
      through = end - through > 0 ? end : through;
    }
    return through;
  }
}
