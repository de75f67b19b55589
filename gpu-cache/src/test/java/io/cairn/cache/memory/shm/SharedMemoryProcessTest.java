package io.cairn.cache.memory.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.ExportedMemory;
import io.cairn.cache.memory.HostMemory;
import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Arenas between real processes: shared while both live, dead with their owner. */
class SharedMemoryProcessTest {
  @TempDir private Path directory;

  private SharedMemoryDevice open() throws Exception {
    return SharedMemoryDevice.open(directory, directory, ArenaProcess.CAPACITY_BYTES);
  }

  @Test
  void anotherProcessReadsAndWritesTheSameBytes() throws Exception {
    try (SharedMemoryDevice device = open()) {
      device.allocate(3000);
      DeviceAddress address = device.allocate(ArenaProcess.BYTES);
      device.copyAndChecksumAsync(HostMemory.of(ArenaProcess.pattern(1)), 0, address).await();
      ExportedMemory exported = device.export(address);
      // a second descriptor of the arena in this process would lose the lock when it is closed
      try (SharedMemoryDevice neighbour = open();
          DeviceMemory.Opened opened = neighbour.open(exported)) {
        assertThat(opened.address().bytes()).isEqualTo(ArenaProcess.BYTES);
      }
      String handle = HexFormat.of().formatHex(exported.encode());
      try (ChildProcess peer = start("peer", directory.toString(), handle)) {
        assertThat(peer.await("same ")).isEqualTo("true");
        assertThat(peer.exitStatus()).isZero();
      }
      ByteBuffer found = ByteBuffer.allocate(ArenaProcess.BYTES);
      device.copyToHostAsync(address, found).await();
      assertThat(found.array()).isEqualTo(ArenaProcess.pattern(2));
      assertThat(device.file()).exists();
    }
  }

  @Test
  void theArenaOfAKilledProcessIsDead() throws Exception {
    try (SharedMemoryDevice device = open();
        ChildProcess owner = start("own", directory.toString())) {
      ExportedMemory handle =
          ExportedMemory.decode(HexFormat.of().parseHex(owner.await("handle ")));
      Path arena = Path.of(owner.await("file "));
      try (DeviceMemory.Opened opened = device.open(handle)) {
        ByteBuffer found = ByteBuffer.allocate(ArenaProcess.BYTES);
        device.copyToHostAsync(opened.address(), found).await();
        assertThat(found.array()).isEqualTo(ArenaProcess.pattern(1));
        // others that start leave a living process's arena alone, also after it was opened here
        open().close();
        assertThat(arena).exists();
        assertThat(opened.ownerIsGone()).isFalse();

        owner.kill();
        assertThat(arena).exists();
        assertThat(opened.ownerIsGone()).isTrue();
        assertThatIOException()
            .isThrownBy(() -> device.open(handle))
            .withMessageContaining("owner is dead");
        try (SharedMemoryDevice next = open()) {
          assertThat(arena).doesNotExist();
          assertThat(opened.ownerIsGone()).as("also without the file's name").isTrue();
          assertThat(next.file()).exists();
          assertThat(device.file()).exists();
        }
        assertThatIOException()
            .isThrownBy(() -> device.open(handle))
            .withMessageContaining("closed it, or is dead");
        // mappings stay mapped: no SIGBUS
        device.copyToHostAsync(opened.address(), found.clear()).await();
        assertThat(found.array()).isEqualTo(ArenaProcess.pattern(1));
      }
    }
  }

  @Test
  void theMemoryOfAKilledProcessIsUnmappedWhenItIsClosed() throws Exception {
    try (SharedMemoryDevice device = open();
        ChildProcess owner = start("own", directory.toString())) {
      ExportedMemory handle =
          ExportedMemory.decode(HexFormat.of().parseHex(owner.await("handle ")));
      Path arena = Path.of(owner.await("file "));
      DeviceMemory.Opened opened = device.open(handle);
      owner.kill();
      assertThat(Mappings.of(arena)).isNotEmpty();

      opened.close();

      assertThat(Mappings.of(arena)).isEmpty();
      assertThatThrownBy(
              () ->
                  device.copyToHostAsync(opened.address(), ByteBuffer.allocate(ArenaProcess.BYTES)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  /** Its peers lend the memory again once its lock is free. */
  @Test
  void theArenaOutlivesACopyIntoAPeersMemory() throws Exception {
    SharedMemoryDevice device = open();
    try (ChildProcess owner = start("own", directory.toString())) {
      ExportedMemory handle =
          ExportedMemory.decode(HexFormat.of().parseHex(owner.await("handle ")));
      DeviceMemory.Opened opened = device.open(handle);
      ArenaWindow copy = device.window(opened.address()); // as a copy holds it

      device.close();

      assertThat(device.file()).exists();
      copy.close();
      assertThat(device.file()).doesNotExist();
    } finally {
      device.close();
    }
  }

  /** Likewise, of memory that is freed before the device is closed. */
  @Test
  void aFreedArenaOutlivesACopyIntoAPeersMemory() throws Exception {
    try (SharedMemoryDevice device =
            SharedMemoryDevice.onDemand(directory, directory, ArenaProcess.CAPACITY_BYTES);
        SharedMemoryDevice lender = open();
        ChildProcess owner = start("own", directory.toString())) {
      ExportedMemory handle =
          ExportedMemory.decode(HexFormat.of().parseHex(owner.await("handle ")));
      DeviceAddress freed = device.allocate(ArenaProcess.BYTES);
      try (DeviceMemory.Opened sign = lender.open(device.export(freed))) {
        DeviceMemory.Opened opened = device.open(handle);
        ArenaWindow copy = device.window(opened.address()); // as a copy holds it
        long files = files();
        device.free(device.allocate(ArenaProcess.BYTES));
        assertThat(files()).as("of memory that no peer knows").isEqualTo(files);

        device.free(freed);

        assertThat(sign.ownerIsGone()).isFalse();
        opened.close();
        assertThat(device.file()).exists();
        copy.close();
        assertThat(sign.ownerIsGone()).isTrue();
      }
    }
  }

  private long files() throws IOException {
    try (Stream<Path> all = Files.walk(directory)) {
      return all.count();
    }
  }

  @Test
  void aTmpfsThatIsTooSmallIsNotUsed() throws Exception {
    Path small = Files.createDirectory(directory.resolve("small"));
    Path fallback = directory.resolve("fallback");
    assumeTrue(canMount(small), "this system lets nobody mount a tmpfs in a namespace of his own");
    try (ChildProcess child = startOnSmallTmpfs(small, fallback)) {
      String warning = child.await("warning ");
      assertThat(warning).contains("8388608 bytes", small.toString(), "No space left");
      assertThat(child.await("file ")).startsWith(fallback.toString());
      // the failed attempt left nothing behind: a fitting arena still fits
      assertThat(child.await("fits ")).startsWith(small.toString());
      assertThat(child.rest()).noneMatch(line -> line.contains("warning"));
      assertThat(child.exitStatus()).isZero();
    }
  }

  private static ChildProcess start(Object... arguments) throws IOException {
    return arena(arguments).start();
  }

  /** In a mount namespace of its own, with a tmpfs of 2 MiB on {@code small}. */
  private static ChildProcess startOnSmallTmpfs(Path small, Path fallback) throws IOException {
    String mount = "mount -t tmpfs -o size=2m tmpfs \"$0\" && exec \"$@\"";
    return arena("fill", small, fallback)
        .inside(List.of("unshare", "-rm", "sh", "-c", mount, small.toString()))
        .start();
  }

  private static Command arena(Object... arguments) {
    return Command.java(ArenaProcess.class, arguments).small(64).withErrorsInOutput();
  }

  private static boolean canMount(Path where) throws Exception {
    return Command.of(
                "unshare",
                "-rm",
                "mount",
                "-t",
                "tmpfs",
                "-o",
                "size=2m",
                "tmpfs",
                where.toString())
            .withoutErrors()
            .run()
        == 0;
  }
}
