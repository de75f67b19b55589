package io.cairn.cache.memory.shm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.ExportedMemory;
import io.cairn.cache.memory.HostMemory;
import io.cairn.core.model.MappedBytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SharedMemoryDeviceTest {
  private static final int WINDOW_BYTES = 8192;

  @TempDir private Path directory;
  private final List<String> warnings = new ArrayList<>();

  private SharedMemoryDevice open(Path preferred, long bytes) throws IOException {
    return SharedMemoryDevice.open(
        preferred, directory.resolve("fallback"), bytes, WINDOW_BYTES, warnings::add);
  }

  private static List<Path> files(Path parent) throws IOException {
    try (Stream<Path> files = Files.list(parent.resolve("arenas"))) {
      return files.toList();
    }
  }

  @Test
  void onlyTheOwnerMayReadItAndNothingIsLeftAfterClose() throws Exception {
    Path parent = directory.resolve("shm");
    Path file;
    try (SharedMemoryDevice device = open(parent, 5000)) {
      file = device.file();
      assertThat(files(parent)).hasSize(1);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())))
          .isEqualTo("rwx------");
      assertThat(Files.size(file)).isEqualTo(8192);
    }
    assertThat(file).doesNotExist();
    assertThat(warnings).isEmpty();
  }

  @Test
  void itsOwnBytesAreUsedInPlace() throws Exception {
    try (SharedMemoryDevice device = open(directory, 4 * WINDOW_BYTES)) {
      device.allocate(WINDOW_BYTES);
      DeviceAddress address = device.allocate(100);
      device.copyAndChecksumAsync(HostMemory.of(new byte[] {1, 2, 3}), 0, address.slice(8, 3));
      ByteBuffer copied = ByteBuffer.allocate(3);

      try (MappedBytes bytes = device.inPlace(address.slice(8, 3)).orElseThrow()) {
        assertThat(bytes.buffer()).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        bytes.buffer().put(1, (byte) 7);
      }

      device.copyToHostAsync(address.slice(8, 3), copied);
      assertThat(copied.array()).containsExactly(1, 7, 3);
    }
  }

  /** A peer that was stopped may go on to write at any time. */
  @Test
  void bytesOfAPeerAreCopied() throws Exception {
    try (SharedMemoryDevice device = open(directory, WINDOW_BYTES);
        SharedMemoryDevice peer = open(directory, WINDOW_BYTES);
        DeviceMemory.Opened opened = device.open(peer.export(peer.allocate(100)))) {
      assertThat(device.inPlace(opened.address())).isEmpty();
    }
  }

  @Test
  void bytesInUseStayMappedWhenTheDeviceCloses() throws Exception {
    SharedMemoryDevice device = open(directory, WINDOW_BYTES);
    MappedBytes bytes = device.inPlace(device.allocate(8)).orElseThrow();
    bytes.buffer().putLong(0, 42);

    device.close();

    assertThat(bytes.buffer().getLong(0)).isEqualTo(42);
    bytes.close();
    bytes.close();
  }

  @Test
  void severalDevicesOfOneProcessLiveSideBySide() throws Exception {
    try (SharedMemoryDevice first = open(directory, 4096)) {
      try (SharedMemoryDevice second = open(directory, 4096)) {
        assertThat(second.file()).exists().isNotEqualTo(first.file());
        assertThat(first.file()).exists();
      }
      try (SharedMemoryDevice third = open(directory, 4096)) {
        assertThat(third.file()).exists();
        assertThat(first.file()).exists();
      }
    }
  }

  @Test
  void anArenaWithAFreeLockIsRemovedAndOtherFilesStay() throws Exception {
    Path arenas = Files.createDirectories(directory.resolve("arenas"));
    Files.setPosixFilePermissions(arenas, PosixFilePermissions.fromString("rwx------"));
    Path dead = Files.write(arenas.resolve(UUID.randomUUID() + ".arena"), new byte[100]);
    Path deadInFallback =
        Files.createDirectories(directory.resolve("fallback/arenas"))
            .resolve(UUID.randomUUID() + ".arena");
    Files.write(deadInFallback, new byte[100]);
    Path other = Files.write(arenas.resolve("notes.arena"), new byte[100]);
    try (SharedMemoryDevice device = open(directory, 4096)) {
      assertThat(device.file()).exists();
      assertThat(dead).doesNotExist();
      assertThat(deadInFallback).doesNotExist();
      assertThat(other).exists();
    }
  }

  /** Another user of a shared parent may have made the link. */
  @Test
  void nothingIsRemovedBehindALink() throws Exception {
    Path elsewhere = Files.createDirectories(directory.resolve("elsewhere"));
    Files.setPosixFilePermissions(elsewhere, PosixFilePermissions.fromString("rwx------"));
    Path dead = Files.write(elsewhere.resolve(UUID.randomUUID() + ".arena"), new byte[100]);
    Files.createSymbolicLink(directory.resolve("arenas"), elsewhere);
    try (SharedMemoryDevice device = open(directory, 4096)) {
      assertThat(device.file().toString()).contains("fallback");
    }
    assertThat(dead).exists();
  }

  @Test
  void threadsThatOpenAtOnceRemoveDeadArenasTogetherAndNoLivingOne() throws Exception {
    Path arenas = Files.createDirectories(directory.resolve("arenas"));
    Files.setPosixFilePermissions(arenas, PosixFilePermissions.fromString("rwx------"));
    for (int i = 0; i < 200; i++) {
      Files.write(arenas.resolve(UUID.randomUUID() + ".arena"), new byte[1]);
    }
    ExecutorService pool = Executors.newFixedThreadPool(4);
    try {
      List<Future<Boolean>> alive = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        alive.add(
            pool.submit(
                () -> {
                  try (SharedMemoryDevice device = open(directory, 4096)) {
                    return Files.exists(device.file());
                  }
                }));
      }
      for (Future<Boolean> one : alive) {
        assertThat(one.get()).isTrue();
      }
    } finally {
      pool.shutdownNow();
    }
    assertThat(arenas).isEmptyDirectory();
    assertThat(warnings).isEmpty();
  }

  @Test
  void allocationsStayWithinOneWindow() throws Exception {
    try (SharedMemoryDevice device = open(directory, 4 * WINDOW_BYTES)) {
      Set<Long> windows = new HashSet<>();
      for (int i = 0; i < 4; i++) {
        DeviceAddress address = device.allocate(5000);
        long window = address.offset() / WINDOW_BYTES;
        assertThat((address.offset() + 4999) / WINDOW_BYTES).isEqualTo(window);
        windows.add(window);
        byte[] bytes = new byte[5000];
        bytes[i] = 77;
        device.copyAndChecksumAsync(HostMemory.of(bytes), 0, address).await();
        ByteBuffer back = ByteBuffer.allocate(5000);
        device.copyToHostAsync(address, back).await();
        assertThat(back.array()).isEqualTo(bytes);
      }
      assertThat(windows).hasSize(4);
      assertThatIOException().isThrownBy(() -> device.allocate(5000));
      assertThatIOException().isThrownBy(() -> device.allocate(WINDOW_BYTES + 1));
    }
  }

  @Test
  void aDirectoryThatCannotBeUsedMeansTheOtherOneAndOneWarning() throws Exception {
    Path file = Files.write(directory.resolve("file"), new byte[1]);
    try (SharedMemoryDevice device = open(file, 4096)) {
      assertThat(device.file().toString()).contains("fallback");
    }
    assertThat(warnings).hasSize(1);
    assertThat(warnings.get(0)).contains("4096 bytes", file.toString(), "fallback");
  }

  @Test
  void aDirectoryThatOthersMayReadIsNotUsed() throws Exception {
    Path arenas = Files.createDirectories(directory.resolve("open/arenas"));
    Files.setPosixFilePermissions(arenas, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (SharedMemoryDevice device = open(directory.resolve("open"), 4096)) {
      assertThat(device.file().toString()).contains("fallback");
    }
    assertThat(warnings).hasSize(1);
    assertThat(warnings.get(0)).contains("not a directory of this user alone");
    assertThat(arenas).isEmptyDirectory();
  }

  @Test
  void noDirectoryAtAllNamesBoth() throws Exception {
    Path first = Files.write(directory.resolve("first"), new byte[1]);
    Path second = Files.write(directory.resolve("second"), new byte[1]);
    assertThatIOException()
        .isThrownBy(() -> SharedMemoryDevice.open(first, second, 4096))
        .withMessageContainingAll(first.toString(), second.toString(), "4096 bytes");
  }

  @Test
  void closeSurvivesADirectoryThatVanished() throws Exception {
    Path parent = directory.resolve("vanishing");
    SharedMemoryDevice device = open(parent, 4096);
    DeviceAddress address = device.allocate(8);
    Files.delete(device.file());
    Files.delete(parent.resolve("arenas"));
    device.copyAndChecksumAsync(HostMemory.of(new byte[8]), 0, address).await();
    device.close();
    try (SharedMemoryDevice again = open(parent, 4096)) {
      assertThat(again.file()).exists();
    }
  }

  @Test
  void malformedHandlesAreRefused() throws Exception {
    try (SharedMemoryDevice device = open(directory, 4096)) {
      ArenaHandle good = ArenaHandle.of(device.export(device.allocate(64)));
      for (ArenaHandle bad :
          List.of(
              new ArenaHandle(good.file(), -8, 64),
              new ArenaHandle(good.file(), 0, 0),
              new ArenaHandle(good.file(), 0, 1L << 31),
              new ArenaHandle(good.file(), Long.MAX_VALUE, 64),
              new ArenaHandle(good.file(), 4096, 64),
              new ArenaHandle(Path.of("relative.arena"), 0, 64),
              new ArenaHandle(Path.of("/etc/passwd"), 0, 64),
              new ArenaHandle(Path.of("/"), 0, 64),
              new ArenaHandle(directory.resolve("../x/" + good.file().getFileName()), 0, 64))) {
        assertThatIOException()
            .as("%s", bad)
            .isThrownBy(() -> device.open(bad.toExported()))
            .withMessageContaining("handle");
      }
      assertThatIOException()
          .isThrownBy(() -> device.open(new ExportedMemory("shm", new byte[16])));
    }
  }

  @Test
  void capacityIsPositive() {
    assertThatIllegalArgumentException().isThrownBy(() -> open(directory, 0));
  }

  @Test
  void onDemandEachAllocationTakesItsMemoryAndGivesItBack() throws Exception {
    Path parent = directory.resolve("shm");
    try (SharedMemoryDevice device = onDemand(parent)) {
      assertThat(parent).doesNotExist();
      DeviceAddress first = device.allocate(5000);
      DeviceAddress second = device.allocate(100);
      device.copyAndChecksumAsync(HostMemory.of(new byte[] {1, 2}), 0, second.slice(8, 2));
      assertThat(files(parent)).hasSize(2);

      device.free(first);

      assertThat(files(parent)).hasSize(1);
      ByteBuffer copied = ByteBuffer.allocate(2);
      device.copyToHostAsync(second.slice(8, 2), copied);
      assertThat(copied.array()).containsExactly(1, 2);
      assertThatIllegalArgumentException().isThrownBy(() -> device.free(first));
    }
    assertThat(files(parent)).isEmpty();
  }

  @Test
  void aPeerKeepsWhatItOpenedOfADeviceOnDemandUntilThatIsFreed() throws Exception {
    try (SharedMemoryDevice device = onDemand(directory);
        SharedMemoryDevice peer = open(directory, WINDOW_BYTES)) {
      DeviceAddress first = device.allocate(100);
      DeviceAddress second = device.allocate(100);
      try (DeviceMemory.Opened one = peer.open(device.export(first));
          DeviceMemory.Opened two = peer.open(device.export(second))) {
        peer.copyAndChecksumAsync(HostMemory.of(new byte[] {7}), 0, two.address().slice(0, 1));
        device.free(first);

        assertThat(one.ownerIsGone()).isTrue();
        assertThat(two.ownerIsGone()).isFalse();
        ByteBuffer copied = ByteBuffer.allocate(1);
        device.copyToHostAsync(second.slice(0, 1), copied);
        assertThat(copied.array()).containsExactly(7);
      }
    }
  }

  @Test
  void onDemandADirectoryThatCannotBeUsedMeansTheOtherOne() throws Exception {
    Path file = Files.write(directory.resolve("file"), new byte[1]);
    try (SharedMemoryDevice device = onDemand(file)) {
      device.allocate(4096);
      assertThat(device.file().toString()).contains("fallback");
    }
    assertThat(warnings).hasSize(1);
  }

  /** Arenas are whole pages, and the bound is of what was asked for. */
  @Test
  void onDemandTheBoundCountsTheBytesAskedFor() throws Exception {
    try (SharedMemoryDevice device = onDemand(directory)) {
      DeviceAddress last = device.allocate(5000);
      for (int i = 1; i < 6; i++) {
        last = device.allocate(5000);
      }
      assertThatIOException().isThrownBy(() -> device.allocate(5000));
      device.free(last);
      device.allocate(5000);
    }
  }

  /** Copies at NODE lie in the same file system, by default. */
  @Test
  void onDemandAnArenaLeavesHalfOfTheFreeSpaceToOthers() throws Exception {
    ArenaDirectory arenas = new ArenaDirectory(directory);
    long usable = Files.getFileStore(directory).getUsableSpace();

    arenas.requireHalf(0, usable / 8);
    arenas.requireHalf(usable / 2, usable / 8);
    assertThatIOException()
        .isThrownBy(() -> arenas.requireHalf(0, usable / 8 * 7))
        .withMessageContaining("half of both is left to others");
    assertThatIOException().isThrownBy(() -> arenas.requireHalf(usable, usable / 8));
  }

  private SharedMemoryDevice onDemand(Path preferred) {
    return SharedMemoryDevice.onDemand(
        preferred, directory.resolve("fallback"), 4L * WINDOW_BYTES, WINDOW_BYTES, warnings::add);
  }
}
