package io.cairn.lab.study.throttle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LinkBookingsTest {
  private static final double RATE = 1e6;
  private static final long NANOS_PER_BYTE = 1000;

  @TempDir private Path directory;

  /** Later than any booking's begin. */
  private static long later() {
    return System.nanoTime() + 3_600_000_000_000L;
  }

  @Test
  void copiesFollowEachOtherAndLatenessIsNotLost() {
    LinkBookings bookings = LinkBookings.ofThisProcess(2);
    long now = later();
    assertThat(bookings.book(0, now, 500, RATE)).isEqualTo(now + 500 * NANOS_PER_BYTE);
    long late = now + 499 * NANOS_PER_BYTE;
    assertThat(bookings.book(0, late, 500, RATE)).isEqualTo(now + 1000 * NANOS_PER_BYTE);
    assertThat(bookings.book(1, late, 1, RATE)).as("another").isEqualTo(late + NANOS_PER_BYTE);
    long idle = now + 5000 * NANOS_PER_BYTE;
    assertThat(bookings.book(0, idle, 3, RATE)).as("idle time is gone").isEqualTo(idle + 3000);
  }

  @Test
  void whoeverMapsTheFileSeesTheSameBookings() throws Exception {
    Path file = directory.resolve("links");
    LinkBookings mine = LinkBookings.create(file, 3);
    LinkBookings others = LinkBookings.open(file, 3);
    long now = later();
    mine.book(2, now, 100, RATE);
    assertThat(others.book(2, now, 100, RATE)).isEqualTo(now + 200 * NANOS_PER_BYTE);
    assertThatIOException()
        .isThrownBy(() -> LinkBookings.open(file, 4))
        .withMessageContaining("4 stretches");
    assertThatExceptionOfType(FileAlreadyExistsException.class)
        .isThrownBy(() -> LinkBookings.create(file, 3));
  }

  @Test
  void threadsThatBookAtOnceLoseNothing() throws Exception {
    LinkBookings bookings = LinkBookings.ofThisProcess(1);
    long now = later();
    int threads = 4;
    long each = 5000;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> done = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        done.add(
            pool.submit(
                () -> {
                  for (int i = 0; i < each; i++) {
                    bookings.book(0, now, 1, RATE);
                  }
                }));
      }
      for (Future<?> one : done) {
        one.get();
      }
    } finally {
      pool.shutdownNow();
    }
    assertThat(bookings.book(0, now, 0, RATE)).isEqualTo(now + threads * each * NANOS_PER_BYTE);
  }
}
