package io.cairn.cache.memory.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.cairn.cache.memory.DeviceAddress;
import io.cairn.process.ChildProcess;
import io.cairn.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Directories of importers that others have filled or spoilt. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OddImportersTest {
  private static final int OLD_FILES = 500;

  private final Path parent;
  private final Path directory;

  OddImportersTest(@TempDir Path parent) {
    this.parent = parent;
    directory = parent.resolve("importers");
  }

  @BeforeEach
  void resetDriver() {
    FakeCuda.reset();
  }

  @AfterEach
  void allIsFreed() {
    assertThat(FakeCuda.fakecuda_retained(0)).isZero();
    assertThat(FakeCuda.fakecuda_count("leaks")).isZero();
  }

  private CudaDevice open() throws IOException {
    return CudaDevice.open(Devices.options(parent, CudaProcess.CAPACITY_BYTES));
  }

  private void makeDirectory() throws IOException {
    Files.createDirectory(
        directory,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  private static String name(UUID device) {
    return device + ".17." + UUID.randomUUID() + ".importer";
  }

  private Set<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString())
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  @Test
  void filesOfDeadProcessesAreRemoved() throws Exception {
    makeDirectory();
    for (int i = 0; i < OLD_FILES; i++) {
      Files.createFile(directory.resolve(name(UUID.randomUUID())));
      Files.createFile(directory.resolve(UUID.randomUUID() + ".owner"));
    }
    try (CudaDevice device = open()) {
      device.export(device.allocate(1));
      assertThat(names()).hasSize(1);
    }
    assertThat(names()).isEmpty();
  }

  @Test
  void filesOfLivingProcessesStay() throws Exception {
    try (CudaDevice owner = open()) {
      DeviceAddress address = owner.allocate(1);
      owner.export(address);
      try (CudaDevice other = open();
          ChildProcess third = CudaProcess.command("own", FakeCuda.LIBRARY, parent).start()) {
        third.await("handle ");
        other.export(other.allocate(1));
        assertThat(names()).hasSize(3);
      }
    }
  }

  /** To open a pipe waits for its other end. */
  @Test
  void whatIsNoFileHoldsNothingUp() throws Exception {
    makeDirectory();
    CudaDevice device = open();
    device.export(device.allocate(1));
    UUID own = UUID.fromString(names().iterator().next().substring(0, 36));
    Files.createDirectory(directory.resolve(name(own)));
    Files.createSymbolicLink(directory.resolve(name(own)), parent.resolve("absent"));
    Files.createFile(directory.resolve("foreign"));
    Path pipe = directory.resolve(name(own));
    try (ChildProcess maker = Command.of("mkfifo", pipe.toString()).start()) {
      assertThat(maker.exitStatus()).isZero();
    }
    open().close();
    device.close();
    assertThat(names()).hasSize(4).contains("foreign");
  }

  @Test
  void aDirectoryThatIsAFileIsReported() throws Exception {
    Files.createFile(directory);
    requireNoExport();
  }

  @Test
  void aDirectoryThatOthersCanReadIsReported() throws Exception {
    Files.createDirectory(
        directory,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    requireNoExport();
    assertThat(names()).isEmpty();
  }

  @Test
  void aDirectoryThatIsALinkIsReported(@TempDir Path elsewhere) throws Exception {
    Files.createSymbolicLink(directory, elsewhere);
    requireNoExport();
    assertThat(elsewhere).isEmptyDirectory();
  }

  private void requireNoExport() throws IOException {
    try (CudaDevice device = open()) {
      DeviceAddress address = device.allocate(1);
      assertThatExceptionOfType(UnsupportedOperationException.class)
          .isThrownBy(() -> device.export(address))
          .withMessageContaining("shares no memory with other processes, as the log says");
    }
  }

  @Test
  void aSignThatCannotBeRemovedHoldsNoMemory() throws Exception {
    CudaDevice device = open();
    Files.move(parent.resolve("arenas"), parent.resolve("moved"));
    Files.createFile(parent.resolve("arenas"));
    device.close();
  }
}
