package io.cairn.cache.memory.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.cairn.cache.memory.DeviceAddress;
import io.cairn.cache.memory.DeviceMemory;
import io.cairn.cache.memory.ExportedMemory;
import io.cairn.process.ChildProcess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An owner's end while real processes have its memory open. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ImportersTest {
  /** Longer than the test's time, so that a close that waits for an importer fails. */
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  @TempDir private Path directory;

  @BeforeEach
  void resetDriver() {
    FakeCuda.reset();
  }

  private CudaDevice open() throws IOException {
    return CudaDevice.open(Devices.options(directory, CudaProcess.CAPACITY_BYTES, PATIENCE));
  }

  private ChildProcess importer(CudaDevice device) throws IOException {
    DeviceAddress address = device.allocate(CudaProcess.BYTES);
    String handle = HexFormat.of().formatHex(device.export(address).encode());
    ChildProcess importer =
        CudaProcess.command("peer", FakeCuda.LIBRARY, directory, handle).start();
    importer.await("wrote");
    return importer;
  }

  private static void requireHeld() {
    assertThat(FakeCuda.fakecuda_count("freed_while_open")).isZero();
    assertThat(FakeCuda.fakecuda_retained(0)).as("the memory's use of the GPU").isEqualTo(1);
  }

  private void awaitFree() throws IOException {
    while (FakeCuda.fakecuda_retained(0) > 0) {
      Thread.onSpinWait();
    }
    assertThat(FakeCuda.fakecuda_count("freed_while_open")).isZero();
    assertThat(FakeCuda.fakecuda_count("leaks")).isZero();
    open().close(); // removes what killed processes left
    try (Stream<Path> left = Files.list(directory.resolve("importers"))) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void memoryIsFreedAfterItsImporterClosedIt() throws Exception {
    CudaDevice device = open();
    try (ChildProcess importer = importer(device)) {
      device.close();
      requireHeld();

      importer.endInput();
      importer.await("closed");
      assertThat(importer.exitStatus()).isZero();
    }
    awaitFree();
  }

  @Test
  void memoryIsFreedAfterItsImporterWasKilled() throws Exception {
    CudaDevice device = open();
    try (ChildProcess importer = importer(device)) {
      device.close();
      requireHeld();

      importer.kill();

      assertThat(importer.waitFor(Duration.ofMinutes(1))).isTrue();
      awaitFree();
    }
  }

  @Test
  void memoryIsFreedAfterTheLastOfItsImporters() throws Exception {
    CudaDevice device = open();
    try (ChildProcess killed = importer(device);
        ChildProcess last = importer(device)) {
      killed.kill();
      device.close();
      requireHeld();
      last.endInput();
      last.await("closed");
    }
    awaitFree();
  }

  @Test
  void anOwnerThatEndsDoesNotWaitForItsImporters() throws Exception {
    try (CudaDevice device = open();
        ChildProcess owner = CudaProcess.command("own", FakeCuda.LIBRARY, directory).start()) {
      ExportedMemory handle =
          ExportedMemory.decode(HexFormat.of().parseHex(owner.await("handle ")));
      try (DeviceMemory.Opened opened = device.open(handle)) {
        owner.endInput();

        assertThat(owner.exitStatus()).isZero();

        assertThat(opened.ownerIsGone()).isTrue();
        ByteBuffer found = ByteBuffer.allocate(CudaProcess.BYTES);
        device.copyToHostAsync(opened.address(), found).await();
        assertThat(found.array()).isEqualTo(CudaProcess.pattern(1));
      }
    }
    awaitFree();
  }

  @Test
  void memoryStaysWhenNobodyCanTellWhoHasItOpen() throws Exception {
    CudaDevice device = open();
    try (ChildProcess importer = importer(device)) {
      try (Stream<Path> files = Files.list(directory.resolve("importers"))) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
      device.close();
      importer.endInput();
      importer.await("closed");
    }
    requireHeld();
  }

  @Test
  void anImporterWithAnotherDirectoryIsRefused(@TempDir Path another) throws Exception {
    Importers owner = new Importers(directory, UUID.randomUUID());
    try (LockedFile own = owner.own();
        LockedFile other = new Importers(another, UUID.randomUUID()).own()) {
      UUID device = UUID.fromString(own.path().getFileName().toString().substring(0, 36));
      assertThatIOException()
          .isThrownBy(() -> new Importers(another, device).join())
          .withMessageContaining("use one directory (device.dir)");
      assertThat(another.resolve("importers")).isDirectoryContaining(other.path()::equals);
      try (Stream<Path> left = Files.list(another.resolve("importers"))) {
        assertThat(left).hasSize(1);
      }
      owner.join().close();
    }
    assertThatIOException().isThrownBy(owner::join).withMessageContaining("has closed it");
  }
}
