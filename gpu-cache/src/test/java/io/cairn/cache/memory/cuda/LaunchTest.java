package io.cairn.cache.memory.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** The launches on the CPU fail as the driver's do. */
class LaunchTest {
  private static final int INVALID_VALUE = 1;
  private static final int NOT_FOUND = 500;
  private static final int ILLEGAL_ADDRESS = 700;
  private static final int MISALIGNED_ADDRESS = 716;

  @Test
  void anUnknownKernelIsNotFound() {
    assertThat(Kernels.launch("cairn_nothing", 1)).isEqualTo(NOT_FOUND);
  }

  @Test
  void blocksOfAnotherSizeAreInvalid() {
    assertThat(Kernels.launchBlocksOf(256, "cairn_shuffle", 1, 0L, 0L, 0, 1))
        .isEqualTo(INVALID_VALUE);
    assertThat(Kernels.launch("cairn_shuffle", 0, 0L, 0L, 0, 1)).isEqualTo(INVALID_VALUE);
  }

  @Test
  void aByteBeyondAChunkIsAnIllegalAddress() {
    try (GuardedMemory source = GuardedMemory.atEnd(4096);
        GuardedMemory table = table(source.address(), 4097);
        GuardedMemory first = GuardedMemory.atEnd(8).put(new byte[] {0, 0, 0, 0, 1, 0, 0, 0});
        GuardedMemory flags = GuardedMemory.atEnd(4).put(new byte[4])) {
      source.put(new byte[4096]);

      int code =
          Kernels.launch("cairn_differs", 1, table.address(), first.address(), 1, flags.address());

      assertThat(code).isEqualTo(ILLEGAL_ADDRESS);
    }
  }

  @Test
  void aTableAtAnOddAddressIsMisaligned() {
    try (GuardedMemory table = GuardedMemory.shifted(24, 1).put(new byte[24]);
        GuardedMemory first = GuardedMemory.atEnd(8).put(new byte[] {0, 0, 0, 0, 1, 0, 0, 0})) {
      int code = Kernels.launch("cairn_shuffle", 1, table.address(), first.address(), 1, 1);

      assertThat(code).isEqualTo(MISALIGNED_ADDRESS);
    }
  }

  @Test
  void noChunksAreNoWork() {
    try (GuardedMemory table = GuardedMemory.atEnd(0);
        GuardedMemory first = GuardedMemory.atEnd(4).put(new byte[4])) {
      int code = Kernels.launch("cairn_shuffle", 3, table.address(), first.address(), 0, 1);

      assertThat(code).isZero();
    }
  }

  private static GuardedMemory table(long source, long bytes) {
    ByteBuffer row = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
    return GuardedMemory.atEnd(24).put(row.putLong(source).putLong(0).putLong(bytes).array());
  }
}
