package io.cairn.cache.memory.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import java.util.Arrays;

/**
 * Native memory between two pages that nobody can touch. The bytes between these pages that do not
 * belong to it have a mark, so a write beside it shows. Not thread-safe.
 */
final class GuardedMemory implements AutoCloseable {
  private static final NativeLibrary C = NativeLibrary.getInstance("c");
  private static final int PAGE_BYTES = 4096;
  private static final byte MARK = (byte) 0xa5;
  private static final int NO_ACCESS = 0;
  private static final int READ_AND_WRITE = 3;
  private static final int PRIVATE_AND_ANONYMOUS = 0x22;

  private final Pointer mapping;
  private final int pages;
  private final int begin;
  private final int bytes;

  private GuardedMemory(int bytes, int pages, int begin) {
    this.bytes = bytes;
    this.pages = pages;
    this.begin = begin;
    mapping =
        C.getFunction("mmap")
            .invokePointer(new Object[] {null, length(), NO_ACCESS, PRIVATE_AND_ANONYMOUS, -1, 0L});
    int refused =
        C.getFunction("mprotect")
            .invokeInt(new Object[] {mapping.share(PAGE_BYTES), inside(), READ_AND_WRITE});
    if (refused != 0) {
      throw new IllegalStateException("no memory of " + length() + " bytes was mapped");
    }
    fill(MARK);
  }

  /** Memory that begins so many bytes after the beginning of a page. */
  static GuardedMemory shifted(int bytes, int shift) {
    return new GuardedMemory(bytes, pages(bytes + shift), shift);
  }

  /** Memory that ends with a page, so that no byte after it can be read. */
  static GuardedMemory atEnd(int bytes) {
    int pages = pages(bytes);
    return new GuardedMemory(bytes, pages, pages * PAGE_BYTES - bytes);
  }

  private static int pages(int bytes) {
    return Math.max(1, (bytes + PAGE_BYTES - 1) / PAGE_BYTES);
  }

  private long length() {
    return (pages + 2L) * PAGE_BYTES;
  }

  private long inside() {
    return (long) pages * PAGE_BYTES;
  }

  private void fill(byte value) {
    mapping.setMemory(PAGE_BYTES, inside(), value);
  }

  /** The address of the first byte. */
  long address() {
    return Pointer.nativeValue(mapping) + PAGE_BYTES + begin;
  }

  /** The length in bytes. */
  int bytes() {
    return bytes;
  }

  /** Copies bytes into the memory, from its beginning on. */
  GuardedMemory put(byte... from) {
    mapping.write(PAGE_BYTES + begin, from, 0, from.length);
    return this;
  }

  /** A copy of the memory. */
  byte[] get() {
    return mapping.getByteArray(PAGE_BYTES + begin, bytes);
  }

  /** The little-endian word of 32 bits at an index. */
  int word(int index) {
    return mapping.getInt(PAGE_BYTES + begin + (long) index * Integer.BYTES);
  }

  /** The little-endian word of 64 bits at an index. */
  long longWord(int index) {
    return mapping.getLong(PAGE_BYTES + begin + (long) index * Long.BYTES);
  }

  /** Fails if a byte beside the memory was written. */
  void assertNothingBesideItChanged(String what) {
    byte[] before = mapping.getByteArray(PAGE_BYTES, begin);
    int after = begin + bytes;
    byte[] behind = mapping.getByteArray(PAGE_BYTES + after, (int) inside() - after);
    assertThat(before).as("bytes before " + what).isEqualTo(marks(before.length));
    assertThat(behind).as("bytes after " + what).isEqualTo(marks(behind.length));
  }

  private static byte[] marks(int count) {
    byte[] marks = new byte[count];
    Arrays.fill(marks, MARK);
    return marks;
  }

  @Override
  public void close() {
    C.getFunction("munmap").invokeInt(new Object[] {mapping, length()});
  }
}
