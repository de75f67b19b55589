package io.cairn.cache.memory.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A chunk of more than 4 GiB, of which all but the last page is one piece of zeros, mapped over and
 * over.
 */
class HugeChunkTest {
  private static final long BYTES = (9L << 29) + 3;

  /** So many that the last one begins beyond 4 GiB. */
  private static final int BLOCKS = 16;

  private static final int PIECE_BYTES = 4 << 20;
  private static final int READ = 1;
  private static final int READ_AND_WRITE = 3;
  private static final int PRIVATE_ANONYMOUS_AND_UNRESERVED = 0x4022;
  private static final int SHARED_FIXED_AND_POPULATED = 0x8011;
  private static final NativeLibrary C = NativeLibrary.getInstance("c");

  private Pointer chunk = Pointer.NULL;

  @BeforeEach
  void map() {
    chunk = mmap(null, BYTES, READ_AND_WRITE, PRIVATE_ANONYMOUS_AND_UNRESERVED, -1);
    int zeros = C.getFunction("memfd_create").invokeInt(new Object[] {"zeros", 0});
    assertThat(C.getFunction("ftruncate").invokeInt(new Object[] {zeros, (long) PIECE_BYTES}))
        .isZero();
    for (long at = 0; at + PIECE_BYTES < BYTES; at += PIECE_BYTES) {
      Pointer there = chunk.share(at);
      assertThat(mmap(there, PIECE_BYTES, READ, SHARED_FIXED_AND_POPULATED, zeros))
          .isEqualTo(there);
    }
    assertThat(C.getFunction("close").invokeInt(new Object[] {zeros})).isZero();
  }

  private static Pointer mmap(@Nullable Pointer at, long bytes, int access, int flags, int file) {
    return C.getFunction("mmap").invokePointer(new Object[] {at, bytes, access, flags, file, 0L});
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
