package io.cairn.cache.memory.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Memory of a GPU between real processes, whose driver is the fake. */
class CudaProcessTest {
  /** Maven puts it there. */
  private static final Path OTHER_JNA = Path.of("target", "jna", "jna-5.17.0.jar");

  @TempDir private Path directory;

  @BeforeEach
  void resetDriver() {
    FakeCuda.reset();
  }

  private CudaDevice open() throws Exception {
    return CudaDevice.open(Devices.options(directory, CudaProcess.CAPACITY_BYTES));
  }

  @Test
  void anotherProcessReadsAndWritesTheSameBytes() throws Exception {
    sharesWith(handle -> CudaProcess.command("peer", FakeCuda.LIBRARY, directory, handle), "4.3.0");
  }

  @Test
  void aProcessWithANewerJnaReadsAndWritesTheSameBytes() throws Exception {
    assertThat(OTHER_JNA).as("mvn process-test-resources copies it").exists();
    String path = directory.toString();
    sharesWith(
        handle ->
            CudaProcess.commandWithJna(List.of(OTHER_JNA), "peer", FakeCuda.LIBRARY, path, handle),
        "5.17.0");
  }

  /** The command of a process that opens a handle. */
  private interface Peer {
    Command of(String handle);
  }

  private void sharesWith(Peer command, String jna) throws Exception {
    try (CudaDevice device = open()) {
      device.allocate(3000);
      DeviceAddress address = device.allocate(CudaProcess.BYTES);
      device.copyAndChecksumAsync(HostMemory.of(CudaProcess.pattern(1)), 0, address).await();
      String handle = HexFormat.of().formatHex(device.export(address).encode());
      try (ChildProcess peer = command.of(handle).start()) {
        assertThat(peer.await("jna ")).endsWith("/jna-" + jna + ".jar");
        assertThat(peer.await("same ")).isEqualTo("true");
        peer.await("wrote");
        peer.endInput();
        peer.await("closed");
        assertThat(peer.exitStatus()).isZero();
      }
      assertThat(read(device, address)).isEqualTo(CudaProcess.pattern(2));
    }
    assertThat(FakeCuda.fakecuda_count("freed_while_open")).isZero();
    assertThat(FakeCuda.fakecuda_count("leaks")).isZero();
  }

  private static byte[] read(CudaDevice device, DeviceAddress address) throws Exception {
    byte[] found = new byte[(int) address.bytes()];
    device.copyToHostAsync(address, ByteBuffer.wrap(found)).await();
    return found;
  }

  @Test
  void theDeathOfAnOwnerIsSeen() throws Exception {
    try (CudaDevice device = open();
        ChildProcess owner = CudaProcess.command("own", FakeCuda.LIBRARY, directory).start()) {
      ExportedMemory handle =
          ExportedMemory.decode(HexFormat.of().parseHex(owner.await("handle ")));
      try (DeviceMemory.Opened opened = device.open(handle)) {
        assertThat(read(device, opened.address())).isEqualTo(CudaProcess.pattern(1));
        assertThat(opened.ownerIsGone()).isFalse();

        owner.kill();

        assertThat(opened.ownerIsGone()).isTrue();
        assertThatIOException()
            .isThrownBy(() -> device.open(handle))
            .withMessageContaining("owner is dead");
      }
    }
    assertThat(FakeCuda.fakecuda_count("leaks")).isZero();
  }

  @Test
  void anOwnerThatClosesInOrderIsGone() throws Exception {
    try (CudaDevice device = open();
        ChildProcess owner = CudaProcess.command("own", FakeCuda.LIBRARY, directory).start()) {
      ExportedMemory handle =
          ExportedMemory.decode(HexFormat.of().parseHex(owner.await("handle ")));
      owner.endInput();
      assertThat(owner.exitStatus()).isZero();
      assertThatIOException()
          .isThrownBy(() -> device.open(handle))
          .withMessageContaining("closed it, or is dead");
    }
  }

  /** The end of the process frees all, and no call that might wait holds it up. */
  @Test
  void aDeviceThatAnExitHookClosesFreesNothing() throws Exception {
    try (ChildProcess process = CudaProcess.command("exit", FakeCuda.LIBRARY, directory).start()) {
      assertThat(process.await("retained ")).isEqualTo("2");
      assertThat(process.exitStatus()).isZero();
    }
  }

  /** No call maps memory of the own process for the context of another GPU. */
  @Test
  void memoryOfAnotherGpuInThisProcessIsOutOfReach() throws Exception {
    CudaOptions first = Devices.options(directory, 64);
    CudaOptions second = new CudaOptions(first.library(), 1, 64, 64, first.patience(), directory);
    try (CudaDevice device = CudaDevice.open(first);
        CudaDevice elsewhere = CudaDevice.open(second)) {
      ExportedMemory handle = elsewhere.export(elsewhere.allocate(8));
      try (DeviceMemory.Opened opened = device.open(handle)) {
        assertThat(opened.isReached()).isFalse();
        assertThat(opened.ownerIsGone()).isFalse();
        assertThatIllegalArgumentException()
            .isThrownBy(() -> device.copyToHostAsync(opened.address(), ByteBuffer.allocate(8)))
            .withMessageContaining("is not an address of cuda:0");
      }
    }
  }

  /** A kernel that writes past the memory ends the context of the process that training uses. */
  @Test
  void aHandleToMoreThanItsOwnerHasIsRefused() throws Exception {
    try (CudaDevice device = open();
        ChildProcess owner = CudaProcess.command("own", FakeCuda.LIBRARY, directory).start()) {
      CudaHandle honest =
          CudaHandle.of(ExportedMemory.decode(HexFormat.of().parseHex(owner.await("handle "))));
      CudaHandle longer =
          new CudaHandle(
              honest.gpu(), honest.slab(), honest.ipc(), honest.offset(), 1L << 40, honest.life());

      assertThatIOException()
          .isThrownBy(() -> device.open(longer.toExported()))
          .withMessageContaining("its owner's memory has only");
      try (DeviceMemory.Opened opened = device.open(honest.toExported())) {
        assertThat(read(device, opened.address())).isEqualTo(CudaProcess.pattern(1));
      }
    }
    assertThat(FakeCuda.fakecuda_count("leaks")).isZero();
  }

  @Test
  void memoryWhoseLengthTheDriverDoesNotTellIsGivenBack() throws Exception {
    try (CudaDevice device = open();
        ChildProcess owner = CudaProcess.command("own", FakeCuda.LIBRARY, directory).start()) {
      ExportedMemory handle =
          ExportedMemory.decode(HexFormat.of().parseHex(owner.await("handle ")));
      try (DeviceMemory.Opened opened = device.open(handle)) {
        assertThat(opened.ownerIsGone()).isFalse();
        assertThat(importers()).isEqualTo(1);
      }
      FakeCuda.fakecuda_fail("cuMemGetAddressRange_v2", 1, 1, 0);

      assertThatIOException()
          .isThrownBy(() -> device.open(handle))
          .withMessageContaining("cuMemGetAddressRange");

      assertThat(importers()).isZero();
    }
  }

  private long importers() throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("importers"))) {
      return files.filter(file -> !file.toString().endsWith(".owner")).count();
    }
  }
}
