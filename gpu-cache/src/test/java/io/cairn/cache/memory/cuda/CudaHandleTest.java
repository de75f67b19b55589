package io.cairn.cache.memory.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.cairn.cache.memory.ExportedMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Handles as bytes, whole and damaged. */
class CudaHandleTest {
  private static final ExportedMemory LIFE = new ExportedMemory("shm", new byte[] {1, 2, 3});
  private static final int OFFSET_AT = 96;

  private static CudaHandle handle(long offset, long bytes) {
    byte[] ipc = new byte[64];
    new Random(2).nextBytes(ipc);
    String hexadecimal = HexFormat.of().formatHex(ipc);
    return new CudaHandle(new UUID(1, -2), new UUID(3, 4), hexadecimal, offset, bytes, LIFE);
  }

  private static byte[] payload() {
    ByteBuffer payload = handle(5, 6).toExported().payload();
    byte[] bytes = new byte[payload.remaining()];
    payload.get(bytes);
    return bytes;
  }

  @Test
  void survivesAsBytes() throws Exception {
    CudaHandle handle = handle(1L << 40, 1L << 33);

    CudaHandle found = CudaHandle.of(ExportedMemory.decode(handle.toExported().encode()));

    assertThat(found).isEqualTo(handle);
  }

  @Test
  void isRefusedWhenItIsTruncated() {
    byte[] whole = payload();
    for (int length = 0; length < whole.length; length++) {
      ExportedMemory part = new ExportedMemory("cuda", Arrays.copyOf(whole, length));
      assertThatIOException().as("%d bytes", length).isThrownBy(() -> CudaHandle.of(part));
    }
  }

  @ParameterizedTest
  @CsvSource({"-1, 6", "5, 0", "5, -6", "9223372036854775807, 1"})
  void isRefusedWithAnImpossibleSpan(long offset, long bytes) {
    byte[] payload = payload();
    ByteBuffer.wrap(payload).putLong(OFFSET_AT, offset).putLong(OFFSET_AT + 8, bytes);
    assertThatIOException()
        .isThrownBy(() -> CudaHandle.of(new ExportedMemory("cuda", payload)))
        .withMessageContaining("its span is impossible");
  }

  @Test
  void arbitraryBytesEndInAnException() {
    Random random = new Random(7);
    for (int round = 0; round < 2000; round++) {
      byte[] bytes = new byte[random.nextInt(300)];
      random.nextBytes(bytes);
      try {
        CudaHandle.of(new ExportedMemory("cuda", bytes));
      } catch (IOException e) {
        assertThat(e).hasMessageContaining("handle");
      }
    }
  }
}
