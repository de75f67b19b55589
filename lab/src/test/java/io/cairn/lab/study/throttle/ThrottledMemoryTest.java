package io.cairn.lab.study.throttle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.cairn.cache.memory.CopyEvent;
import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.HostMemory;
import io.cairn.cache.memory.shm.SharedMemoryDevice;
import io.cairn.core.flow.Topology;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is slowed, by what is booked: no duration is looked at. */
class ThrottledMemoryTest {
  private static final int BYTES = 1000;

  private final LinkTable table =
      LinkTable.of(Topology.builder(3).link(0, 1, 1e9).link(1, 0, 1e9).host(1e9).build(), 1);
  private final LinkBookings bookings = LinkBookings.ofThisProcess(table.stretches());
  private final ThrottledLinks links = new ThrottledLinks(table, bookings);
  @TempDir private Path directory;

  private SharedMemoryDevice shared() throws IOException {
    return SharedMemoryDevice.open(directory, directory, 1 << 16);
  }

  /** Until when a way of one stretch is booked. */
  private long freeFrom(int from, int to) {
    long before = System.nanoTime() - TimeUnit.HOURS.toNanos(1);
    return bookings.book(table.way(from, to)[0], before, 0, 1);
  }

  @Test
  void onlyLinksAreBooked() throws Exception {
    try (DeviceMemory zero = ThrottledMemory.device(shared(), 0, links);
        DeviceMemory one = ThrottledMemory.device(shared(), 1, links);
        DeviceMemory host = ThrottledMemory.host(shared(), 0, links);
        DeviceMemory bothWays = ThrottledMemory.hostBothWays(shared(), 0, links)) {
      long linkBefore = freeFrom(0, 1);
      long hostBefore = freeFrom(0, LinkTable.HOST);
      HostMemory source = HostMemory.of(new byte[BYTES]);
      CopyEvent own = zero.copyAndChecksumAsync(source, 0, zero.allocate(BYTES));
      assertThat(own.isDone()).as("not slowed").isTrue();
      assertThat(freeFrom(0, 1)).isEqualTo(linkBefore);
      DeviceAddress lent = one.allocate(BYTES);
      try (DeviceMemory.Opened opened = zero.open(one.export(lent))) {
        zero.copyAndChecksumAsync(source, 0, opened.address()).await();
        assertThat(freeFrom(0, 1)).isGreaterThan(linkBefore);
        assertThat(freeFrom(0, LinkTable.HOST)).isEqualTo(hostBefore);
        long link = freeFrom(0, 1);
        zero.copyToHostAsync(opened.address(), ByteBuffer.allocate(BYTES)).await();
        assertThat(freeFrom(0, 1)).as("the way back is another").isEqualTo(link);
      }
      DeviceAddress atHost = host.allocate(BYTES);
      host.copyAndChecksumAsync(source, 0, atHost).await();
      long booked = freeFrom(0, LinkTable.HOST);
      assertThat(booked).isGreaterThan(hostBefore);
      host.copyToHostAsync(atHost, ByteBuffer.allocate(BYTES)).await();
      assertThat(freeFrom(0, LinkTable.HOST)).isEqualTo(booked);
      DeviceAddress there = bothWays.allocate(BYTES);
      bothWays.copyToHostAsync(there, ByteBuffer.allocate(BYTES)).await();
      assertThat(freeFrom(0, LinkTable.HOST)).isGreaterThan(booked);
    }
  }

  @Test
  void whatHasNoLinkCannotBeOpened() throws Exception {
    try (DeviceMemory zero = ThrottledMemory.device(shared(), 0, links);
        DeviceMemory two = ThrottledMemory.device(shared(), 2, links)) {
      assertThatIOException()
          .isThrownBy(() -> zero.open(two.export(two.allocate(8))))
          .withMessageContaining("no way from device 0 to 2");
    }
  }
}
