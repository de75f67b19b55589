package io.cairn.flush.format;

import java.nio.ByteBuffer;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Bytes of any number, of which only pages with other bytes than zeros are kept. Safe for threads
 * that touch different pages.
 */
public final class SparseFile {
  private static final int PAGE_BYTES = 64 << 10;
  private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(PAGE_BYTES).asReadOnlyBuffer();

  private final ConcurrentHashMap<Long, byte[]> pages = new ConcurrentHashMap<>();
  private volatile long bytes;

  /** Its length. */
  long bytes() {
    return bytes;
  }

  /** Appends the remaining bytes. One thread at a time appends. */
  void append(ByteBuffer source) {
    long end = bytes + source.remaining();
    write(bytes, source);
    bytes = end;
  }

  /** Writes the remaining bytes to a position; the length stays. */
  public void write(long position, ByteBuffer source) {
    for (long at = position; source.hasRemaining(); ) {
      int within = (int) (at % PAGE_BYTES);
      int length = Math.min(source.remaining(), PAGE_BYTES - within);
      ByteBuffer part = source.slice(source.position(), length);
      if (pages.containsKey(at / PAGE_BYTES) || part.mismatch(ZEROS.slice(0, length)) >= 0) {
        part.get(
            pages.computeIfAbsent(at / PAGE_BYTES, number -> new byte[PAGE_BYTES]), within, length);
      }
      source.position(source.position() + length);
      at += length;
    }
  }

  /** Fills the remaining space from a position on; bytes that nobody wrote are zeros. */
  public void read(long position, ByteBuffer into) {
    for (long at = position; into.hasRemaining(); ) {
      int within = (int) (at % PAGE_BYTES);
      int length = Math.min(into.remaining(), PAGE_BYTES - within);
      byte[] page = pages.get(at / PAGE_BYTES);
      if (page == null) {
        into.put(ZEROS.slice(0, length));
      } else {
        into.put(page, within, length);
      }
      at += length;
    }
  }
}
