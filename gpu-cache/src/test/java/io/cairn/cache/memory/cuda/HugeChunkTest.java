package io.cairn.cache.memory.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A chunk of more than 4 GiB, of which all but one byte is a page of zeros that is never written.
 */
class HugeChunkTest {
  private static final long BYTES = (9L << 29) + 3;

  /** So many that the last one begins beyond 4 GiB. */
  private static final int BLOCKS = 16;

  private static final int READ_AND_WRITE = 3;
  private static final int PRIVATE_ANONYMOUS_AND_UNRESERVED = 0x4022;
  private static final int BY_HUGE_PAGES = 14;
  private static final NativeLibrary C = NativeLibrary.getInstance("c");

  private Pointer chunk = Pointer.NULL;

  @BeforeEach
  void map() {
    chunk =
        C.getFunction("mmap")
            .invokePointer(
                new Object[] {
                  null, BYTES, READ_AND_WRITE, PRIVATE_ANONYMOUS_AND_UNRESERVED, -1, 0L
                });
    // where the system has none, the test takes longer
    C.getFunction("madvise").invokeInt(new Object[] {chunk, BYTES, BY_HUGE_PAGES});
  }

  @AfterEach
  void unmap() {
    C.getFunction("munmap").invokeInt(new Object[] {chunk, BYTES});
  }

  @Test
  void noOffsetEndsAt4GiB() {
    chunk.setByte(BYTES - 1, (byte) 1);

    assertThat(flags()).isEqualTo(2);
  }

  private int flags() {
    int pieces = (int) ((BYTES + Kernels.PIECE_BYTES - 1) / Kernels.PIECE_BYTES);
    byte[] row = new byte[24];
    words(row).putLong(Pointer.nativeValue(chunk)).putLong(0).putLong(BYTES);
    byte[] begins = new byte[8];
    words(begins).putInt(0).putInt(pieces);
    try (GuardedMemory table = GuardedMemory.atEnd(row.length).put(row);
        GuardedMemory first = GuardedMemory.atEnd(begins.length).put(begins);
        GuardedMemory flags = GuardedMemory.atEnd(4).put(new byte[4])) {
      int code =
          Kernels.launch(
              "cairn_differs", BLOCKS, table.address(), first.address(), 1, flags.address());
      assertThat(code).isZero();
      return flags.word(0);
    }
  }

  private static ByteBuffer words(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
