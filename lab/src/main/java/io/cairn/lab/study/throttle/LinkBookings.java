package io.cairn.lab.study.throttle;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;

/**
 * Until when each of a number of stretches is taken, for all processes that map one file. Thread-
 * and process-safe.
 *
 * <p>A stretch is a token bucket without a depth: bytes take it for as long as its rate says, one
 * copy after the other in the order in which they were booked. A booking begins where the one
 * before ends, or now if that is past. So a copier that wakes up late costs the next one no time.
 * The moments are {@link System#nanoTime}, which on Linux all processes share until the next boot.
 *
 * <pre>
 * offset  bytes  field (native order)
 *      0     64  moment from which on stretch 0 is free, then unused
 *     64     64  the same of stretch 1, and so on: a line of the processor's cache each
 * </pre>
 */
public final class LinkBookings {
  private static final int STRIDE_BYTES = 64;
  private static final double NANOS_PER_SECOND = 1e9;
  private static final VarHandle MOMENT =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private final ByteBuffer moments;

  private LinkBookings(ByteBuffer moments) {
    this.moments = moments;
  }

  /** Nothing is booked; for this process alone. */
  public static LinkBookings ofThisProcess(int stretches) {
    LinkBookings bookings =
        new LinkBookings(ByteBuffer.allocateDirect(Math.multiplyExact(stretches, STRIDE_BYTES)));
    bookings.clear();
    return bookings;
  }

  /**
   * A new file in which nothing is booked.
   *
   * @throws IOException if it exists or cannot be made
   */
  public static LinkBookings create(Path file, int stretches) throws IOException {
    try (FileChannel channel = FileChannel.open(file, CREATE_NEW, READ, WRITE)) {
      long bytes = (long) stretches * STRIDE_BYTES;
      LinkBookings bookings = new LinkBookings(channel.map(MapMode.READ_WRITE, 0, bytes));
      bookings.clear();
      return bookings;
    }
  }

  /**
   * A file that another process made.
   *
   * @throws IOException if it is not there, or has another number of stretches
   */
  public static LinkBookings open(Path file, int stretches) throws IOException {
    try (FileChannel channel = FileChannel.open(file, READ, WRITE)) {
      long bytes = (long) stretches * STRIDE_BYTES;
      if (channel.size() != bytes) {
        throw new IOException(
            String.format(
                Locale.ROOT,
                "%s: %d bytes are not %d stretches of %d",
                file,
                channel.size(),
                stretches,
                STRIDE_BYTES));
      }
      return new LinkBookings(channel.map(MapMode.READ_WRITE, 0, bytes));
    }
  }

  private void clear() {
    long now = System.nanoTime();
    for (int at = 0; at < moments.capacity(); at += STRIDE_BYTES) {
      MOMENT.setVolatile(moments, at, now);
    }
  }

  /**
   * Books bytes on a stretch.
   *
   * @param nowNanos {@link System#nanoTime}
   * @return the moment at which they are through
   */
  public long book(int stretch, long nowNanos, long bytes, double bytesPerSecond) {
    int at = Math.multiplyExact(stretch, STRIDE_BYTES);
    Objects.checkIndex(at, moments.capacity());
    long nanos = Math.round(bytes * NANOS_PER_SECOND / bytesPerSecond);
    while (true) {
      long free = (long) MOMENT.getVolatile(moments, at);
      long end = (free - nowNanos > 0 ? free : nowNanos) + nanos;
      if (MOMENT.compareAndSet(moments, at, free, end)) {
        return end;
      }
    }
  }
}
