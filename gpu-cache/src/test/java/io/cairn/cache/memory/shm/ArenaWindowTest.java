package io.cairn.cache.memory.shm;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cairn.cache.memory.DeviceAddress;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Mapped memory stays as long as one of its holders uses it, and not longer. */
@Timeout(60)
class ArenaWindowTest {
  private static final int BYTES = 4096;

  @TempDir Path directory;

  private Path file() {
    return directory.resolve("window");
  }

  private ArenaWindow map() throws IOException {
    try (FileChannel channel = FileChannel.open(file(), CREATE_NEW, READ, WRITE)) {
      return new ArenaWindow(channel.map(MapMode.READ_WRITE, 0, BYTES));
    }
  }

  @Test
  void itIsUnmappedByItsLastHolder() throws IOException {
    ArenaWindow window = map();
    ArenaWindow copy = window.hold();

    window.close();

    copy.copyTo(0, ByteBuffer.allocate(BYTES));
    assertThat(Mappings.of(file())).hasSize(1);

    copy.close();

    assertThat(Mappings.of(file())).isEmpty();
  }

  @Test
  void aClosedWindowHasNoNewHolder() throws IOException {
    ArenaWindow window = map();
    window.close();

    assertThatThrownBy(window::hold).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aDeviceUnmapsItsOwnArena() throws IOException {
    SharedMemoryDevice device = SharedMemoryDevice.open(directory, directory, BYTES);
    assertThat(Mappings.of(device.file())).isNotEmpty();

    device.close();
    device.close();

    assertThat(Mappings.of(device.file())).isEmpty();
  }

  @Test
  void copiesThatRaceWithTheCloseFailOrEndInOrder() throws Exception {
    for (int round = 0; round < 50; round++) {
      SharedMemoryDevice device = SharedMemoryDevice.open(directory, directory, 64 * BYTES);
      DeviceAddress address = device.allocate(64 * BYTES);
      CountDownLatch copying = new CountDownLatch(1);
      CompletableFuture<Void> copies =
          CompletableFuture.runAsync(
              () -> {
                ByteBuffer into = ByteBuffer.allocateDirect(64 * BYTES);
                while (true) {
                  device.copyToHostAsync(address, into.clear());
                  copying.countDown();
                }
              });

      copying.await();
      device.close();

      assertThatThrownBy(copies::join).hasCauseInstanceOf(IllegalStateException.class);
    }
  }
}
